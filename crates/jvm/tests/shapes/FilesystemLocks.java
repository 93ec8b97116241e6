import java.util.concurrent.locks.ReentrantLock;

/** Inodes and blocks are objects with a lock of the library each. */
public class FilesystemLocks {
    static final class Inode {
        final ReentrantLock lock = new ReentrantLock();
        int block;
    }

    static final class Block {
        final ReentrantLock lock = new ReentrantLock();
        boolean busy;
    }

    private final Inode[] inodes = new Inode[32];
    private final Block[] blocks = new Block[26];

    FilesystemLocks() {
        for (int number = 0; number < inodes.length; number++) {
            inodes[number] = new Inode();
        }
        for (int number = 0; number < blocks.length; number++) {
            blocks[number] = new Block();
        }
    }

    private void allocate(int number) {
        Inode inode = inodes[number];
        inode.lock.lock();
        try {
            if (inode.block == 0) {
                int found = search(inode, 2 * number % blocks.length);
                assert found >= 0;
            }
        } finally {
            inode.lock.unlock();
        }
    }

    private int search(Inode inode, int start) {
        for (int index = start;; index = (index + 1) % blocks.length) {
            Block block = blocks[index];
            block.lock.lock();
            try {
                if (!block.busy) {
                    block.busy = true;
                    inode.block = index + 1;
                    return index;
                }
            } finally {
                block.lock.unlock();
            }
        }
    }

    public static void main(String[] args) {
        FilesystemLocks disk = new FilesystemLocks();
        for (int number = 0; number < Integer.parseInt(args[0]); number++) {
            final int own = number;
            new Thread("writer " + number) {
                @Override
                public void run() {
                    disk.allocate(own);
                }
            }.start();
        }
    }
}
