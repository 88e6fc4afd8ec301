// Preloaded into a server (LD_PRELOAD): each fsync and fdatasync first sleeps for the milliseconds in the file SYNC_DELAY, and afterwards appends to the file
// SYNC_LOG when it began and ended (CLOCK_MONOTONIC, ns), its result, and the path of the synced file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000000LL + at.tv_nsec;
}

static void delay(void) {
  char text[16] = "";
  int file = open(getenv("SYNC_DELAY"), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  if (read(file, text, sizeof text - 1) > 0) usleep(atoi(text) * 1000);
  close(file);
}

static int recorded(const char *name, int file) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  long long began = now();
  delay();
  int result = sync(file);
  long long ended = now();

  char link[32], path[4096], line[4200];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  int log = open(getenv("SYNC_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (write(log, line, snprintf(line, sizeof line, "%lld %lld %d %s\n", began, ended, result, path)) < 0) abort();
  close(log);
  return result;
}

int fsync(int file) { return recorded("fsync", file); }
int fdatasync(int file) { return recorded("fdatasync", file); }
