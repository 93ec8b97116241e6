import java.util.*;
public class GraphsAndTries {
    static class Graph {
        Map<String,Map<String,Integer>> adj = new HashMap<>();
        void edge(String a, String b, int w) {
            adj.computeIfAbsent(a,k->new HashMap<>()).put(b,w);
            adj.computeIfAbsent(b,k->new HashMap<>()).put(a,w);
        }
        Map<String,Integer> dijkstra(String s) {
            Map<String,Integer> d = new TreeMap<>();
            PriorityQueue<Map.Entry<String,Integer>> q = new PriorityQueue<>(Map.Entry.comparingByValue());
            q.add(Map.entry(s,0));
            while (!q.isEmpty()) {
                var e = q.poll();
                if (d.putIfAbsent(e.getKey(),e.getValue()) != null) continue;
                for (var n : adj.get(e.getKey()).entrySet()) q.add(Map.entry(n.getKey(), e.getValue()+n.getValue()));
            }
            return d;
        }
    }
    static class Trie {
        Trie[] k = new Trie[26];
        boolean end;
        void add(String s) {
            Trie t = this;
            for (char c : s.toCharArray()) {
                if (t.k[c-'a'] == null) t.k[c-'a'] = new Trie();
                t = t.k[c-'a'];
            }
            t.end = true;
        }
        int count() {
            int n = end ? 1 : 0;
            for (Trie t : k) if (t != null) n += t.count();
            return n;
        }
    }
    static class LinkedStack<T> implements Iterable<T> {
        private class N {
            T v;
            N n;
        }
        N head;
        int size;
        void push(T v) {
            N n = new N();
            n.v = v;
            n.n = head;
            head = n;
            size++;
        }
        T pop() {
            if (head == null) throw new NoSuchElementException("empty");
            T v = head.v;
            head = head.n;
            size--;
            return v;
        }
        public Iterator<T> iterator() {
            return new Iterator<T>() {
                N c = head;
                public boolean hasNext() {
                    return c != null;
                }
                public T next() {
                    T v = c.v;
                    c = c.n;
                    return v;
                }
            };
        }
    }
    public static void main(String[] a) {
        Graph g = new Graph();
        g.edge("A","B",4);
        g.edge("A","C",1);
        g.edge("C","B",2);
        g.edge("B","D",5);
        System.out.println(g.dijkstra("A"));
        Trie t = new Trie();
        for (String s : "a an and ant bee be".split(" ")) t.add(s);
        System.out.println(t.count());
        LinkedStack<String> st = new LinkedStack<>();
        st.push("x");
        st.push("y");
        for (String s : st) System.out.print(s);
        System.out.println(st.pop() + st.pop());
        try {
            st.pop();
        } catch (NoSuchElementException e) {
            System.out.println(e);
        }
        int[][] tri = new int[6][];
        for (int i=0;i<6;i++) {
            tri[i] = new int[i+1];
            tri[i][0] = tri[i][i] = 1;
            for (int j=1;j<i;j++) tri[i][j] = tri[i-1][j-1]+tri[i-1][j];
        }
        System.out.println(Arrays.deepToString(tri));
        int[][][] cube = new int[2][3][4];
        cube[1][2][3] = 9;
        System.out.println(cube[1][2].length + cube[1][2][3] + Arrays.deepToString(cube));
        char[][] board = new char[3][3];
        for (char[] r : board) Arrays.fill(r,'.');
        board[1][1] = 'X';
        for (char[] r : board) System.out.println(r);
        long[] la = {1,2};
        System.out.println(la.length + la[1]);
    }
}
