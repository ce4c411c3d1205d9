/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest around the agent: what init does before anything else can run, and
 * the way out. Every step is tried and may fail, since kernels for measuring
 * are often built without half of this; what is needed in the end is a port
 * for the results.
 */
#include "workloads/agent/guest.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { SERIAL_MAJOR = 4, FIRST_SERIAL_MINOR = 64 };

static void mount_at(const char *type, const char *place)
{
	mkdir(place, 0755);
	mount(type, place, type, 0, NULL);
}

void guest_prepare(void)
{
	int fd;

	mount_at("proc", "/proc");
	mount_at("sysfs", "/sys");
	mount_at("devtmpfs", "/dev");
	mount_at("tmpfs", "/tmp");
	/* Where there is no devtmpfs; fails where it is. */
	mknod("/dev/console", S_IFCHR | 0600, makedev(5, 1));
	mknod("/dev/null", S_IFCHR | 0666, makedev(1, 3));
	mknod("/dev/zero", S_IFCHR | 0666, makedev(1, 5));
	mknod("/dev/ttyS1", S_IFCHR | 0600, makedev(SERIAL_MAJOR, FIRST_SERIAL_MINOR + 1));
	fd = open("/dev/console", O_RDWR | O_NOCTTY);
	if (fd < 0)
		return;
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* The first port of virtio-serial, if the kernel has found one. */
static int open_virtio(void)
{
	DIR *directory = opendir("/dev");
	struct dirent *entry;
	int fd = -1;

	if (directory == NULL)
		return -1;
	while (fd < 0 && (entry = readdir(directory)) != NULL)
		if (strncmp(entry->d_name, "vport", 5) == 0)
			fd = openat(dirfd(directory), entry->d_name, O_WRONLY | O_CLOEXEC);
	closedir(directory);
	return fd;
}

/* Bytes pass as they are: no carriage returns. A line that is not there refuses to be set. */
static int open_serial(void)
{
	int fd = open("/dev/ttyS1", O_WRONLY | O_NOCTTY | O_CLOEXEC);
	struct termios settings;

	if (fd < 0)
		return -1;
	if (tcgetattr(fd, &settings) == 0) {
		cfmakeraw(&settings);
		settings.c_cflag |= CLOCAL;
		if (tcsetattr(fd, TCSANOW, &settings) == 0)
			return fd;
	}
	close(fd);
	return -1;
}

int guest_open_results(void)
{
	int fd = open_virtio();

	return fd >= 0 ? fd : open_serial();
}

_Noreturn void guest_stop(int results)
{
	if (results >= 0)
		tcdrain(results);
	tcdrain(STDERR_FILENO);
	sync();
	/* QEMU is told to end instead of starting again; any kernel can do this, with or without
	 * ACPI. */
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}
