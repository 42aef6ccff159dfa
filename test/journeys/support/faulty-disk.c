/*
 * A disk that fails, for one process and the files of one folder; loaded before the C library (LD_PRELOAD).
 *
 * DISK_FOLDER  the folder; paths begin with it
 * DISK_PLAN    a file: "<k> once|on eio|enospc|lie"; without it nothing fails and nothing is counted
 * DISK_TRACE   a file to which every counted call is appended: "<what> <file> <offset> <bytes>"
 *
 * Counted are writes, truncations and flushes, from 1. "lie" says that all is well and writes nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum verdict { GO_ON, FAIL, TEAR, LIE };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long count = 0;

static int path_of(int fd, char *path, size_t size) {
  const char *folder = getenv("DISK_FOLDER");
  char link[64];
  if (folder == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int read_plan(long *k, char *how, char *what) {
  char text[64];
  const char *plan = getenv("DISK_PLAN");
  int fd = plan == NULL ? -1 : open(plan, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = '\0';
  return sscanf(text, "%ld %15s %15s", k, how, what) == 3;
}

static void trace(const char *what, const char *path, off_t offset, size_t bytes) {
  char line[512];
  const char *file = getenv("DISK_TRACE");
  int fd = file == NULL ? -1 : open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  int length = snprintf(line, sizeof line, "%s %s %lld %zu\n", what, path, (long long)offset, bytes);
  syscall(SYS_write, fd, line, length);
  close(fd);
}

static enum verdict judge(const char *call, int fd, off_t offset, size_t bytes) {
  char path[4096], how[16], what[16];
  long k;
  int saved = errno;
  enum verdict verdict = GO_ON;
  pthread_mutex_lock(&mutex);
  if (path_of(fd, path, sizeof path)) {
    if (!read_plan(&k, how, what)) {
      count = 0;
    } else {
      count += 1;
      trace(call, path, offset, bytes);
      int is_on = strcmp(how, "on") == 0;
      if (count == k || (is_on && count > k)) {
        int is_full = strcmp(what, "enospc") == 0;
        verdict = strcmp(what, "lie") == 0 ? LIE : is_full && is_on && count == k ? TEAR : FAIL;
        saved = is_full ? ENOSPC : EIO;
      }
    }
  }
  pthread_mutex_unlock(&mutex);
  errno = saved;
  return verdict;
}

/* A disk that becomes full takes the first half. */
#define INTERCEPT(call, fd, offset, bytes, lied, torn)                 \
  switch (judge(call, fd, offset, bytes)) {                            \
    case FAIL: return -1;                                              \
    case LIE: return lied;                                             \
    case TEAR: torn;                                                   \
    case GO_ON: break;                                                 \
  }

ssize_t write(int fd, const void *data, size_t bytes) {
  off_t offset = lseek(fd, 0, SEEK_CUR);
  INTERCEPT("write", fd, offset, bytes, (ssize_t)bytes, bytes = (bytes + 1) / 2)
  return syscall(SYS_write, fd, data, bytes);
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t offset) {
  INTERCEPT("write", fd, offset, bytes, (ssize_t)bytes, bytes = (bytes + 1) / 2)
  return syscall(SYS_pwrite64, fd, data, bytes, offset);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset) {
  return pwrite64(fd, data, bytes, offset);
}

int ftruncate64(int fd, off64_t bytes) {
  INTERCEPT("truncate", fd, 0, bytes, 0, return -1)
  return syscall(SYS_ftruncate, fd, bytes);
}

int fsync(int fd) {
  INTERCEPT("flush", fd, 0, 0, 0, return -1)
  return syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
  INTERCEPT("flush", fd, 0, 0, 0, return -1)
  return syscall(SYS_fdatasync, fd);
}
