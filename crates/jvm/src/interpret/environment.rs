//! What a program asks of the world around it, where the machine has one fixed answer.
//!
//! Every execution must be the same for the same schedule, so the clock, random seeds, standard input and the like are
//! fixed. A result about a program that asks for them holds for these answers, and has to say so. So has one about a
//! program that waits, unless threads may go on unwoken, as Java allows.
//!
//! What the program asks for is noted when an instruction of its own that names such a method is performed for the
//! first time, which costs nothing afterwards. What the library asks for on its own account is not the program's affair:
//! where a time-out or a probe of a hash table could make a difference, both ways are explored or nobody can tell.

use crate::classfile::MemberRef;
use crate::code::{Instruction, Opcode};
use crate::load::Origin;
use crate::machine::{Machine, Trap};
use crate::world::ClassId;

/// Something about which the machine has an answer of its own.
struct FixedAnswer {
    /// What a result takes for granted, as a clause after "assuming that".
    assumption: &'static str,
    /// What asks for it: the beginning of the class's name, the member's name, and the descriptor, if only one counts.
    asked_by: &'static [(&'static str, &'static str, Option<&'static str>)],
}

const NOTHING: Option<&str> = Some("()V");

/// The answers. Of the last one `--spurious` is the opposite.
const ANSWERS: [FixedAnswer; 9] = [
    FixedAnswer {
        assumption: "time passes only in sleeps, time-outs and looks at the clock",
        asked_by: &[
            ("java/lang/System", "nanoTime", None),
            ("java/lang/System", "currentTimeMillis", None),
            ("java/time/", "now", None),
            ("java/time/", "instant", None),
            ("java/time/", "millis", None),
            ("java/util/Date", "<init>", NOTHING),
            ("java/util/Calendar", "getInstance", None),
            ("java/util/GregorianCalendar", "<init>", NOTHING),
        ],
    },
    FixedAnswer {
        assumption: "random numbers come from seeds that are always the same",
        asked_by: &[
            ("java/util/Random", "<init>", NOTHING),
            ("java/util/SplittableRandom", "<init>", NOTHING),
            ("java/util/concurrent/ThreadLocalRandom", "current", None),
            ("java/util/random/", "getDefault", None),
            ("java/security/SecureRandom", "<init>", None),
            ("java/lang/Math", "random", None),
            ("java/lang/StrictMath", "random", None),
            ("java/util/UUID", "randomUUID", None),
            ("java/util/Collections", "shuffle", Some("(Ljava/util/List;)V")),
        ],
    },
    FixedAnswer {
        assumption: "the virtual machine has no threads of its own (`ThreadMXBean`)",
        asked_by: &[
            ("java/lang/management/ThreadMXBean", "getThreadCount", None),
            ("java/lang/management/ThreadMXBean", "getDaemonThreadCount", None),
            ("java/lang/management/ThreadMXBean", "getAllThreadIds", None),
        ],
    },
    FixedAnswer {
        assumption: "identity hash codes are always the same",
        asked_by: &[("java/lang/System", "identityHashCode", None)],
    },
    FixedAnswer {
        assumption: "there are 2 processors and the memory in use never changes",
        asked_by: &[
            ("java/lang/Runtime", "availableProcessors", None),
            ("java/lang/Runtime", "freeMemory", None),
            ("java/lang/Runtime", "totalMemory", None),
            ("java/lang/Runtime", "maxMemory", None),
            ("java/lang/management/ManagementFactory", "getMemoryMXBean", None),
            ("java/lang/management/ManagementFactory", "getOperatingSystemMXBean", None),
            ("java/lang/management/ManagementFactory", "getGarbageCollectorMXBeans", None),
        ],
    },
    FixedAnswer {
        assumption: "standard input and environment variables are empty",
        asked_by: &[
            ("java/lang/System", "in", None),
            ("java/lang/System", "getenv", None),
            ("java/lang/System", "console", None),
        ],
    },
    FixedAnswer {
        assumption: "nobody changes the files that are read",
        asked_by: &[
            ("java/io/FileInputStream", "<init>", None),
            ("java/io/FileReader", "<init>", None),
            ("java/io/RandomAccessFile", "<init>", None),
            ("java/io/File", "exists", None),
            ("java/io/File", "length", None),
            ("java/io/File", "isFile", None),
            ("java/io/File", "isDirectory", None),
            ("java/io/File", "list", None),
            ("java/io/File", "listFiles", None),
            ("java/io/File", "createNewFile", None),
            ("java/nio/file/Files", "", None),
            ("java/util/Scanner", "<init>", Some("(Ljava/io/File;)V")),
        ],
    },
    FixedAnswer {
        assumption: "objects that nobody uses any more are not collected",
        asked_by: &[("java/lang/ref/", "", None), ("java/util/WeakHashMap", "<init>", None)],
    },
    FixedAnswer {
        assumption: "no thread goes on from waiting unwoken (`--spurious` tries it)",
        asked_by: &[
            ("java/lang/Object", "wait", NOTHING),
            ("java/util/concurrent/locks/", "await", NOTHING),
            ("java/util/concurrent/locks/", "awaitUninterruptibly", NOTHING),
            ("java/util/concurrent/locks/LockSupport", "park", None),
        ],
    },
];

/// Which of the answers a program has asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AskedFor(u16);

impl AskedFor {
    /// Those that one or the other has asked for.
    pub fn or(self, other: AskedFor) -> AskedFor {
        AskedFor(self.0 | other.0)
    }

    /// What results take for granted.
    pub fn assumptions(self) -> impl Iterator<Item = &'static str> {
        let asked = move |number: &usize| self.0 >> number & 1 == 1;
        (0..ANSWERS.len()).filter(asked).map(|number| ANSWERS[number].assumption)
    }
}

impl FixedAnswer {
    fn is_asked_by(&self, member: &MemberRef) -> bool {
        self.asked_by.iter().any(|(class, name, descriptor)| {
            let whole = !class.ends_with('/');
            let of_class =
                if whole { member.class == *class } else { member.class.starts_with(class) };
            of_class
                && (name.is_empty() || member.name == *name)
                && descriptor.is_none_or(|descriptor| member.descriptor == descriptor)
        })
    }
}

impl Machine {
    /// Notes what an instruction of a class, which is performed for the first time, asks for.
    pub(crate) fn note_asking(
        &mut self,
        class: ClassId,
        instruction: Instruction,
    ) -> Result<(), Trap> {
        let names_member = matches!(
            instruction.op,
            Opcode::ResolveInvokeVirtual
                | Opcode::ResolveInvokeInterface
                | Opcode::ResolveInvokeSpecial
                | Opcode::ResolveInvokeStatic
                | Opcode::ResolveGetStatic
        );
        if names_member && self.world.class(class).origin == Origin::Program {
            let member = self.member_constant(class, instruction.a as u16)?;
            self.note_asking_by(&member);
        }
        Ok(())
    }

    /// Notes what a call of a method, or the look at a field, asks for.
    pub(crate) fn note_asking_by(&mut self, member: &MemberRef) {
        for (number, answer) in ANSWERS.iter().enumerate() {
            let wakes = number + 1 == ANSWERS.len() && self.options.spurious;
            if !wakes && answer.is_asked_by(member) {
                self.asked_for = self.asked_for.or(AskedFor(1 << number));
            }
        }
    }
}
