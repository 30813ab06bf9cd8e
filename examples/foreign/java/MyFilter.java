// A Bloom filter for bloomlab in Java, with its standard library alone; the JDK runs a source file:
//     "command": ["java", "MyFilter.java"]
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.BitSet;

public class MyFilter {
  private static long m;
  private static long k;
  private static long seed;
  private static BitSet bits;

  /** The mixer of SplitMix64 (Steele, Lea and Flood 2014). */
  private static long mixed(long x) {
    x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
    return x ^ (x >>> 31);
  }

  private static long hashed(String hex) {
    long h = 0xCBF29CE484222325L ^ mixed(seed + 1);
    for (int i = 0; i < hex.length(); i++) h = (h ^ hex.charAt(i)) * 0x100000001B3L;
    return mixed(h);
  }

  private static void insert(String hex) {
    long at = hashed(hex);
    final long step = mixed(at) | 1;
    for (long i = 0; i < k; i++, at += step) bits.set((int) Long.remainderUnsigned(at, m));
  }

  private static boolean contains(String hex) {
    long at = hashed(hex);
    final long step = mixed(at) | 1;
    for (long i = 0; i < k; i++, at += step) {
      if (!bits.get((int) Long.remainderUnsigned(at, m))) return false;
    }
    return true;
  }

  private static String call(String[] words, BufferedReader in) throws Exception {
    switch (words[0]) {
      case "create":
        m = (long) Math.ceil(Long.parseLong(words[1]) * Double.parseDouble(words[2]));
        k = Math.max(1, Math.round(Math.log(2) * Double.parseDouble(words[2])));
        seed = Long.parseUnsignedLong(words[4]);
        bits = new BitSet((int) m);
        return "ok";
      case "insert":
        for (long i = Long.parseLong(words[1]); i > 0; i--) insert(in.readLine());
        return "ok";
      case "query":
        final StringBuilder answers = new StringBuilder();
        for (long i = Long.parseLong(words[1]); i > 0; i--) {
          answers.append(contains(in.readLine()) ? '1' : '0');
        }
        return answers.toString();
      case "memory":
        return Long.toString(m);
      default:
        return "unsupported";
    }
  }

  public static void main(String[] arguments) throws Exception {
    final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    final PrintStream out = new PrintStream(System.out, true);
    out.println("bloomlab-filter 1 text name=my_filter");
    for (String line; (line = in.readLine()) != null; ) out.println(call(line.split(" "), in));
  }
}
