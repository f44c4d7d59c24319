/* Loaded before the C library: what changes files is counted, and the operation that FAULT_AT names meets a fault. FAULT_HOW
 * says which: "fail" (no space is left), "kill" (the process is gone, half-way through a write), "int" or "term" (a signal,
 * and the operation goes on). FAULT_MARK is a file that is made when the fault comes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long left;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAULT_AT");
    atomic_store(&left, at ? atol(at) : 0);
}

static int is_how(const char *how) {
    const char *given = getenv("FAULT_HOW");
    return given && strcmp(given, how) == 0;
}

/* Whether this operation is to fail. `half` is what is done of it before a kill. */
static int fault(int fd, const void *bytes, size_t half) {
    if (atomic_fetch_sub(&left, 1) != 1)
        return 0;
    const char *mark = getenv("FAULT_MARK");
    if (mark)
        syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0666));
    if (is_how("kill")) {
        if (half)
            syscall(SYS_write, fd, bytes, half);
        kill(getpid(), SIGKILL);
    }
    if (is_how("int") || is_how("term")) {
        kill(getpid(), is_how("int") ? SIGINT : SIGTERM);
        usleep(2000); /* so that it is mostly heard before the operation */
        return 0;
    }
    errno = ENOSPC;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
    if (fd > 2 && fault(fd, bytes, count / 2))
        return -1;
    return syscall(SYS_write, fd, bytes, count);
}

static int makes(int flags) { return flags & (O_CREAT | O_TRUNC); }

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                      \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                                                      \
        va_end(more);                                                                                                  \
        return makes(flags) && fault(0, 0, 0) ? -1 : REAL(name)(path, flags, mode);                                   \
    }
OPEN(open)
OPEN(open64)

int rename(const char *from, const char *to) { return fault(0, 0, 0) ? -1 : REAL(rename)(from, to); }
int mkdir(const char *path, mode_t mode) { return fault(0, 0, 0) ? -1 : REAL(mkdir)(path, mode); }
int rmdir(const char *path) { return fault(0, 0, 0) ? -1 : REAL(rmdir)(path); }
int unlink(const char *path) { return fault(0, 0, 0) ? -1 : REAL(unlink)(path); }
int unlinkat(int at, const char *path, int flags) { return fault(0, 0, 0) ? -1 : REAL(unlinkat)(at, path, flags); }
int fsync(int fd) { return fault(0, 0, 0) ? -1 : REAL(fsync)(fd); }
int ftruncate64(int fd, off64_t length) { return fault(0, 0, 0) ? -1 : REAL(ftruncate64)(fd, length); }
int fchmod(int fd, mode_t mode) { return fault(0, 0, 0) ? -1 : REAL(fchmod)(fd, mode); }
