// limits: memory=1024M processes=200 cpu=20s
// least: guarded
// want: exit=0 exceeded=none
// bare: user
// without: exit=1
// The same by what Java has: files, processes of others, sockets.
import java.net.*;
import java.nio.file.*;

class Main {
	static int failures;

	interface Try { boolean run() throws Exception; }

	static void attempt(String what, Try t) {
		try {
			if (t.run()) {
				System.err.println("managed to " + what);
				failures++;
			}
		} catch (Exception e) {
			// held
		}
	}

	public static void main(String[] args) {
		String answer = args[1], judge = args[2], fd = args[3];
		attempt("read the answer", () -> Files.readString(Path.of(answer)).startsWith("the answer"));
		attempt("read the judge's file", () -> Files.readString(Path.of("/proc/" + judge + "/fd/" + fd)).startsWith("the answer"));
		attempt("connect to the judge", () -> new Socket("127.0.0.1", Integer.parseInt(args[4])).isConnected());
		attempt("listen", () -> new ServerSocket(0).isBound());
		attempt("open /dev/mem", () -> Files.newInputStream(Path.of("/dev/mem")) != null);
		attempt("write to /etc", () -> Files.deleteIfExists(Files.createFile(Path.of("/etc/.attack-java"))));
		System.exit(failures == 0 ? 0 : 1);
	}
}
