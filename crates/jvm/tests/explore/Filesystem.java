/** Threads allocate blocks of a disk to inodes, searching from starts that two of them share. */
public class Filesystem {
    static final Object[] inodeLocks = new Object[32];
    static final int[] inode = new int[32];
    static final Object[] blockLocks = new Object[26];
    static final boolean[] busy = new boolean[26];

    static void allocate(int own) {
        synchronized (inodeLocks[own]) {
            if (inode[own] == 0) {
                int block = own * 2 % 26;
                while (true) {
                    synchronized (blockLocks[block]) {
                        if (!busy[block]) {
                            busy[block] = true;
                            inode[own] = block + 1;
                            break;
                        }
                    }
                    block = (block + 1) % 26;
                }
            }
        }
    }

    public static void main(String[] args) {
        for (int number = 0; number < 32; number++) {
            inodeLocks[number] = new Object();
        }
        for (int number = 0; number < 26; number++) {
            blockLocks[number] = new Object();
        }
        int threads = Integer.parseInt(args[0]);
        for (int number = 0; number < threads; number++) {
            int own = number;
            new Thread(() -> allocate(own)).start();
        }
    }
}
