// SPDX-License-Identifier: GPL-2.0-only
/* What `doctor` loads to see whether it can: one program at a time, the others stay in the file. */
#include <linux/bpf.h>
#include <asm/unistd.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

__u64 seen; /* runs; a hook that attaches and never fires is not one that works */

static __always_inline int see(void)
{
	__sync_fetch_and_add(&seen, 1);
	return 0;
}

SEC("syscall")
int run_syscall(void *ctx)
{
	return see();
}

SEC("raw_tp/doctor")
int run_raw_tp(void *ctx)
{
	return see();
}

SEC("tc")
int run_tc(struct __sk_buff *ctx)
{
	return see();
}

SEC("xdp")
int run_xdp(struct xdp_md *ctx)
{
	return see();
}

/* The target is set before the load: its name depends on the architecture. */
SEC("fentry/doctor")
int hook_fentry(void *ctx)
{
	return see();
}

SEC("kprobe/doctor")
int hook_kprobe(void *ctx)
{
	return see();
}

SEC("tp_btf/sys_enter")
int hook_tp_btf(__u64 *ctx)
{
	return ctx[1] == __NR_getpgid ? see() : 0;
}

SEC("uprobe")
int hook_uprobe(void *ctx)
{
	return see();
}

/* Lockdown in its stricter mode takes this helper away: the verifier then does not know it. */
SEC("raw_tp/doctor")
int read_kernel(void *ctx)
{
	__u64 word = 0;

	return bpf_probe_read_kernel(&word, sizeof(word), (void *)bpf_get_current_task()) ? 1 : 0;
}
