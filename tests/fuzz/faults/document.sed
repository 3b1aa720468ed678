# SPDX-License-Identifier: GPL-2.0-only
# lib/document.c: the next character is read without a look at the length.
s/return p->pos < p->len ? p->data\[p->pos\] : '\\0';/return p->data[p->pos];/
