// The system calls that a filter is refused (Linux, seccomp(2)): what makes memory that no process
// has mapped, so that the guard could not count it, and what reaches into other processes, into
// mounts and namespaces, or into parts of the kernel that no filter needs.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "foreign/runner/runner.hpp"

namespace bloomlab::foreign::runner {

#if defined(__x86_64__) || defined(__aarch64__)

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

constexpr std::array refused = {SYS_memfd_create,
#if defined(SYS_memfd_secret)
                                SYS_memfd_secret,
#endif
                                SYS_shmget, SYS_msgget, SYS_semget, SYS_mq_open, SYS_io_uring_setup,
                                SYS_userfaultfd,
                                // other processes
                                SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
                                SYS_process_madvise, SYS_pidfd_getfd, SYS_kcmp,
                                // keys of the user
                                SYS_add_key, SYS_request_key, SYS_keyctl,
                                // mounts and namespaces
                                SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree,
                                SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
#if defined(SYS_mount_setattr)
                                SYS_mount_setattr,
#endif
                                SYS_unshare, SYS_setns, SYS_open_by_handle_at,
                                // the kernel
                                SYS_bpf, SYS_perf_event_open, SYS_init_module, SYS_finit_module,
                                SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load, SYS_reboot,
                                SYS_swapon, SYS_swapoff, SYS_quotactl, SYS_acct, SYS_syslog};

constexpr std::uint32_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// A program of the kernel's filter for packets, which is given a seccomp_data.
class Program {
 public:
  Program() {
    load(offsetof(seccomp_data, arch));
    otherwise(BPF_JEQ, architecture, SECCOMP_RET_KILL_PROCESS);
    load_number();
#if defined(__x86_64__)
    // The numbers of x32, by which the same calls go.
    when(BPF_JGE, 0x40000000, answer(ENOSYS));
#endif
  }

  void refuse(long call) { when(BPF_JEQ, static_cast<std::uint32_t>(call), answer(EPERM)); }
  void make_unknown(long call) { when(BPF_JEQ, static_cast<std::uint32_t>(call), answer(ENOSYS)); }

  /// Refuses the call where the low half of an argument has any of these bits.
  void refuse(long call, std::size_t argument, std::uint32_t bits) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4);
    load(static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                    argument * sizeof(std::uint64_t)));  // both are little-endian
    when(BPF_JSET, bits, answer(EPERM));
    load_number();
  }

  /// Holds from here on, for this process and all that it starts. False, with errno, where the
  /// system has no such filters.
  [[nodiscard]] bool install() && {
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const sock_fprog program = {.len = static_cast<unsigned short>(code_.size()),
                                .filter = code_.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  static constexpr std::uint32_t answer(std::uint32_t code) { return SECCOMP_RET_ERRNO | code; }

  void add(int code, std::uint32_t value, std::uint8_t jump_true = 0, std::uint8_t jump_false = 0) {
    code_.push_back({static_cast<std::uint16_t>(code), jump_true, jump_false, value});
  }
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  void when(int test, std::uint32_t value, std::uint32_t result) {
    add(BPF_JMP | test | BPF_K, value, 0, 1);
    add(BPF_RET | BPF_K, result);
  }
  void otherwise(int test, std::uint32_t value, std::uint32_t result) {
    add(BPF_JMP | test | BPF_K, value, 1, 0);
    add(BPF_RET | BPF_K, result);
  }

  std::vector<sock_filter> code_;
};

}  // namespace

bool limit_system_calls() {
  Program program;
  for (const long call : refused) program.refuse(call);
  program.refuse(SYS_clone, 0, namespaces);
  // Its flags lie in memory, where no filter sees them; who finds it unknown takes clone.
  program.make_unknown(SYS_clone3);
  program.refuse(SYS_mmap, 3, MAP_HUGETLB);  // pages that the memory of a process does not count
  return std::move(program).install();
}

#else

bool limit_system_calls() { return true; }

#endif

}  // namespace bloomlab::foreign::runner
