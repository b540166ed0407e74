import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Sudoku as exact cover on an orthogonal list with row and column headers.
 *
 * <p>Idea: each one of the 729×324 matrix is a node in two rings, one along its row and one along
 * its column, each through a header; covering a column unlinks its header and all rows that it
 * meets, uncovering runs the same steps backwards.
 *
 * <p>Source: a published solution of the sudoku problem with the two-way orthogonal list, which
 * makes its headers and nodes anew for each puzzle; here they are made once, and rows that the
 * givens rule out are left out, because a virtual machine that has just started is slow.
 *
 * <p>Time: exponential at worst; about 0.1 ms for a usual puzzle once the code is compiled. Memory:
 * 3970 nodes, beside the virtual machine. Weak: the start of the virtual machine, and the headers
 * of rows, over which each walk along a row must step.
 */
public final class CrossLinks {
    private static final class Node {
        Node up, down, left, right;
        int row, col; // from 1; 0 in the headers of the other kind
    }

    private final Node[] pool = nodes(4 * 729);
    private final Node[] rowHead = nodes(730);
    private final Node[] colHead = nodes(325);
    private final int[] count = new int[325];
    private final byte[] digit = new byte[730];
    private final int[] cell = new int[730];
    private final byte[] answer = new byte[82];
    private int used;

    private static Node[] nodes(int n) {
        Node[] all = new Node[n];
        for (int i = 0; i < n; i++) all[i] = new Node();
        return all;
    }

    private void reset() {
        used = 0;
        for (int i = 0; i < 730; i++) {
            Node h = rowHead[i];
            h.row = i;
            h.left = h.right = h;
        }
        for (int i = 0; i < 325; i++) {
            Node h = colHead[i];
            h.col = i;
            h.up = h.down = h;
            h.left = colHead[(i + 324) % 325];
            h.right = colHead[(i + 1) % 325];
            count[i] = 0;
        }
    }

    private void link(int row, int col) {
        Node n = pool[used++], r = rowHead[row], c = colHead[col];
        n.row = row;
        n.col = col;
        n.up = c.up;
        n.down = c;
        n.left = r.left;
        n.right = r;
        n.up.down = c.up = n;
        n.left.right = r.left = n;
        count[col]++;
    }

    private void build(String puzzle) {
        reset();
        int[] row = new int[9], col = new int[9], box = new int[9]; // digits given there
        for (int at = 0; at < 81; at++) {
            if (puzzle.charAt(at) == '.') continue;
            int bit = 1 << (puzzle.charAt(at) - '1');
            row[at / 9] |= bit;
            col[at % 9] |= bit;
            box[at / 27 * 3 + at % 9 / 3] |= bit;
        }
        int option = 0;
        for (int at = 0; at < 81; at++) {
            int r = at / 9, c = at % 9, b = r / 3 * 3 + c / 3;
            char given = puzzle.charAt(at);
            int can = given == '.' ? ~(row[r] | col[c] | box[b]) & 0x1ff : 1 << (given - '1');
            for (int d = 0; d < 9; d++) {
                if ((can >> d & 1) == 0) continue;
                option++;
                digit[option] = (byte) ('1' + d);
                cell[option] = at;
                link(option, 1 + at);
                link(option, 82 + 9 * r + d);
                link(option, 163 + 9 * c + d);
                link(option, 244 + 9 * b + d);
            }
        }
    }

    private void cover(Node c) {
        c.left.right = c.right;
        c.right.left = c.left;
        for (Node i = c.down; i != c; i = i.down) {
            for (Node j = i.right; j != i; j = j.right) {
                if (j.col == 0) continue;
                j.up.down = j.down;
                j.down.up = j.up;
                count[j.col]--;
            }
        }
    }

    private void uncover(Node c) {
        for (Node i = c.up; i != c; i = i.up) {
            for (Node j = i.left; j != i; j = j.left) {
                if (j.col == 0) continue;
                count[j.col]++;
                j.up.down = j.down.up = j;
            }
        }
        c.left.right = c.right.left = c;
    }

    private boolean dance() {
        Node first = colHead[0];
        if (first.right == first) return true;
        Node best = first.right;
        for (Node c = best.right; c != first && count[best.col] > 1; c = c.right) {
            if (count[c.col] < count[best.col]) best = c;
        }
        cover(best);
        for (Node i = best.down; i != best; i = i.down) {
            answer[cell[i.row]] = digit[i.row];
            for (Node j = i.right; j != i; j = j.right) {
                if (j.col != 0) cover(colHead[j.col]);
            }
            if (dance()) return true;
            for (Node j = i.left; j != i; j = j.left) {
                if (j.col != 0) uncover(colHead[j.col]);
            }
        }
        uncover(best);
        return false;
    }

    public static void main(String[] args) throws IOException {
        CrossLinks sudoku = new CrossLinks();
        sudoku.answer[81] = '\n';
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out));
        StringBuilder all = new StringBuilder();
        for (String s = in.readLine(); s != null && s.length() == 81; s = in.readLine()) {
            sudoku.build(s);
            sudoku.dance();
            all.append(new String(sudoku.answer, StandardCharsets.US_ASCII));
        }
        out.print(all);
        out.flush();
    }
}
