// Preloaded into a process (LD_PRELOAD): appends to the file RECORD what the process does to files below the folder RECORDED, in the order in which it is done.
// A record is a line, `kind number number path`, and behind that of a write its bytes. Syncs take some milliseconds and reach no disk. FAILING, `suffix:n`: of the
// syncs of files whose names end so, the nth fails. Without RECORD nothing is recorded, and syncs take no time. Memory that is mapped is not recorded.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SYNC_US 2000

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static const char *folder;
static char failing[64];
static int until_failure;
static long syncs;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("RECORD"), *fails = getenv("FAILING"), *nth = fails ? strrchr(fails, ':') : NULL;
  folder = getenv("RECORDED");
  if (path) record = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (nth && nth - fails < (long)sizeof failing) memcpy(failing, fails, nth - fails), until_failure = atoi(nth + 1);
}

static int is_within(const char *path) {
  size_t length = folder ? strlen(folder) : 0;
  return record >= 0 && length > 0 && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_recorded(int file, char *path) {
  char link[32];
  if (record < 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_within(path);
}

static void append(const char *kind, long long one, long long other, const char *path, const void *bytes, size_t count) {
  char line[PATH_MAX + 64];
  struct iovec parts[2] = {{line, snprintf(line, sizeof line, "%s %lld %lld %s\n", kind, one, other, path)}, {(void *)bytes, count}};
  if (syscall(SYS_writev, record, parts, bytes ? 2 : 1) != (long)(parts[0].iov_len + (bytes ? count : 0))) abort();
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (!(flags & O_CREAT) || !is_within(path)) return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  pthread_mutex_lock(&order);
  int is_new = syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
  int file = syscall(SYS_openat, AT_FDCWD, path, flags, mode), error = errno;
  if (file >= 0 && is_new) append("create", 0, 0, path, NULL, 0);
  pthread_mutex_unlock(&order);
  errno = error;
  return file;
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int mkdir(const char *path, mode_t mode) {
  pthread_mutex_lock(&order);
  int result = syscall(SYS_mkdirat, AT_FDCWD, path, mode), error = errno;
  if (result == 0 && is_within(path)) append("create", 1, 0, path, NULL, 0);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

int unlink(const char *path) {
  pthread_mutex_lock(&order);
  int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0), error = errno;
  if (result == 0 && is_within(path)) append("remove", 0, 0, path, NULL, 0);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

int rename(const char *from, const char *to) {
  if (is_within(from) || is_within(to)) abort(); // not recorded
  return syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  char path[PATH_MAX];
  if (!is_recorded(file, path)) return syscall(SYS_pwrite64, file, bytes, count, offset);
  pthread_mutex_lock(&order);
  ssize_t result = syscall(SYS_pwrite64, file, bytes, count, offset);
  int error = errno;
  if (result > 0) append("write", offset, result, path, bytes, result);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) __attribute__((alias("pwrite64")));

ssize_t write(int file, const void *bytes, size_t count) {
  char path[PATH_MAX];
  if (!is_recorded(file, path)) return syscall(SYS_write, file, bytes, count);
  pthread_mutex_lock(&order);
  ssize_t result = syscall(SYS_write, file, bytes, count);
  int error = errno;
  if (result > 0) append("write", lseek(file, 0, SEEK_CUR) - result, result, path, bytes, result);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

int ftruncate64(int file, off64_t size) {
  char path[PATH_MAX];
  if (!is_recorded(file, path)) return syscall(SYS_ftruncate, file, size);
  pthread_mutex_lock(&order);
  int result = syscall(SYS_ftruncate, file, size), error = errno;
  if (result == 0) append("cut", size, 0, path, NULL, 0);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}
int ftruncate(int file, off_t size) __attribute__((alias("ftruncate64")));

static int fails(const char *path) {
  size_t length = strlen(path), end = strlen(failing);
  return until_failure > 0 && length >= end && strcmp(path + length - end, failing) == 0 && --until_failure == 0;
}

int fsync(int file) {
  char path[PATH_MAX];
  if (!is_recorded(file, path)) return record < 0 ? 0 : syscall(SYS_fsync, file);
  pthread_mutex_lock(&order);
  long id = ((long)getpid() << 32) + ++syncs;
  int result = fails(path) ? -1 : 0;
  append("begin", id, 0, path, NULL, 0);
  pthread_mutex_unlock(&order);
  usleep(SYNC_US);
  pthread_mutex_lock(&order);
  append("end", id, result, path, NULL, 0);
  pthread_mutex_unlock(&order);
  if (result != 0) errno = EIO;
  return result;
}
int fdatasync(int file) __attribute__((alias("fsync")));
