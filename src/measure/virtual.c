/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Virtual machines and containers, by their marks. x86 guests carry the "hypervisor" flag (CPUID
 * leaf 1, ECX bit 31, set by every common hypervisor) and a signature at leaf 0x40000000; other
 * machines are known by their firmware's maker (DMI) or the device tree.
 */
#include "measure/virtual.h"

#include <stdbool.h>
#include <string.h>

#include "measure/proc.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

struct mark {
	const char *sign; /* part of what is read */
	const char *name;
};

static const char *mark_find(const struct mark *marks, size_t count, const char *text)
{
	size_t i;

	for (i = 0; text != NULL && i < count; i++)
		if (strstr(text, marks[i].sign) != NULL)
			return marks[i].name;
	return NULL;
}

#define MARK_FIND(marks, text) mark_find((marks), sizeof(marks) / sizeof *(marks), (text))

#if defined(__x86_64__) || defined(__i386__)
static const char *signature_name(void)
{
	static const struct mark signatures[] = {
		{ "KVMKVMKVM", "kvm" },	      { "Microsoft Hv", "Hyper-V" },
		{ "VMwareVMware", "VMware" }, { "XenVMMXenVMM", "xen" },
		{ "TCGTCGTCGTCG", "qemu" },   { "VBoxVBoxVBox", "VirtualBox" },
		{ "bhyve bhyve ", "bhyve" },  { "ACRNACRNACRN", "ACRN" },
	};
	unsigned eax, signature[4] = { 0 };

	__cpuid(0x40000000, eax, signature[0], signature[1], signature[2]);
	return MARK_FIND(signatures, (const char *)signature);
}
#else
static const char *signature_name(void)
{
	return NULL;
}
#endif

static const char *firmware_name(struct arena *arena, const char *root)
{
	static const struct mark vendors[] = {
		{ "QEMU", "qemu" },
		{ "VMware", "VMware" },
		{ "innotek", "VirtualBox" },
		{ "Xen", "xen" },
		{ "Parallels", "Parallels" },
		{ "KVM", "kvm" },
		{ "OpenStack", "kvm" },
		{ "Google Compute", "kvm" },
		{ "Amazon EC2", "kvm" },
		{ "Bochs", "Bochs" },
		{ "Apple Virtualization", "Apple" },
		{ "Virtual Machine", "Hyper-V" },
	};
	const char *vendor = proc_line(arena, root, "/sys/class/dmi/id/sys_vendor");
	const char *product = proc_line(arena, root, "/sys/class/dmi/id/product_name");
	const char *name = MARK_FIND(vendors, product);

	if (product != NULL && strstr(product, ".metal") != NULL)
		return NULL; /* a whole machine of a cloud whose maker's name is on guests too */
	return name != NULL ? name : MARK_FIND(vendors, vendor);
}

const char *virtual_machine(struct arena *arena, const char *root)
{
	const char *cpuinfo = proc_read(arena, root, "/proc/cpuinfo");
	const char *flags = proc_field(arena, cpuinfo, "flags");
	const char *type = proc_line(arena, root, "/sys/hypervisor/type");
	const char *name = NULL;

	if (flags != NULL && !proc_has_word(flags, "hypervisor") && type == NULL)
		return "no";
	if (flags != NULL && *root == '\0')
		name = signature_name();
	if (name == NULL)
		name = type != NULL ? type : firmware_name(arena, root);
	if (name == NULL && proc_exists(root, "/proc/device-tree/hypervisor"))
		name = "yes";
	/* Other processors than x86 have no flag to deny it: there no mark is no answer. */
	return name == NULL && flags != NULL ? "yes" : name;
}

const char *virtual_container(struct arena *arena, const char *root)
{
	static const struct mark groups[] = {
		{ "kubepods", "kubernetes" },
		{ "/docker", "docker" },
		{ "libpod", "podman" },
		{ "/lxc", "lxc" },
		{ "/machine.slice/", "systemd-nspawn" },
	};
	static const struct mark environments[] = {
		{ "container=lxc", "lxc" },	  { "container=podman", "podman" },
		{ "container=docker", "docker" }, { "container=systemd-nspawn", "systemd-nspawn" },
		{ "container=", "yes" },
	};
	const char *name = MARK_FIND(groups, proc_read(arena, root, "/proc/self/cgroup"));

	if (name == NULL && proc_exists(root, "/run/.containerenv"))
		name = "podman";
	if (name == NULL && proc_exists(root, "/.dockerenv"))
		name = "docker";
	if (name == NULL)
		name = proc_line(arena, root, "/run/systemd/container");
	if (name == NULL)
		name = MARK_FIND(environments, proc_read(arena, root, "/proc/1/environ"));
	return name == NULL ? "no" : name;
}
