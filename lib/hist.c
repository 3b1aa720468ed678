// SPDX-License-Identifier: GPL-2.0-only
#include "lib/hist.h"

uint64_t hist__low(unsigned int bin, unsigned int sub_bits)
{
	unsigned int octave = bin >> sub_bits;
	uint64_t sub = bin & ((1U << sub_bits) - 1);

	if (!octave)
		return bin;
	return ((1ULL << sub_bits) + sub) << (octave - 1);
}

unsigned int hist__bin(uint64_t value, unsigned int sub_bits)
{
	unsigned int log = 63 - __builtin_clzll(value | 1);

	if (log < sub_bits)
		return value;
	return ((log - sub_bits + 1) << sub_bits) +
	       ((value >> (log - sub_bits)) & ((1U << sub_bits) - 1));
}

json_t *hist__json(const uint64_t *bins, unsigned int nr, unsigned int sub_bits, const char *unit)
{
	json_t *sparse = json_array();

	for (unsigned int i = 0; i < nr; i++)
		if (bins[i])
			json_array_append_new(sparse, json_pack("[i, I]", i, (json_int_t)bins[i]));
	return json_pack("{s:s, s:i, s:s, s:o}", "enc", "log2lin", "sub_bits", sub_bits, "unit",
			 unit, "bins", sparse);
}
