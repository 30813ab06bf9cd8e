// Serves BloomFilter of Guava to bloomlab, made for n keys and a rate. It has no seed.
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import com.google.common.io.BaseEncoding;
import java.io.BufferedReader;
import java.io.InputStreamReader;

public class Guava {
  private static final BaseEncoding HEX = BaseEncoding.base16().lowerCase();
  private static BloomFilter<byte[]> filter;
  private static long bits;

  private static String call(String[] words, BufferedReader in) throws Exception {
    switch (words[0]) {
      case "create":
        final long n = Long.parseLong(words[1]);
        double rate = Double.parseDouble(words[3]);
        // A size in bits becomes the rate that the usual formula gives for it.
        if (rate == 0) rate = Math.exp(-Double.parseDouble(words[2]) * Math.pow(Math.log(2), 2));
        filter = BloomFilter.create(Funnels.byteArrayFunnel(), n, rate);
        bits = written();
        return "ok";
      case "memory":
        return String.valueOf(bits);
      case "insert":
        for (int i = Integer.parseInt(words[1]); i > 0; i--) filter.put(HEX.decode(in.readLine()));
        return "ok";
      case "query":
        final StringBuilder answers = new StringBuilder();
        for (int i = Integer.parseInt(words[1]); i > 0; i--) {
          answers.append(filter.mightContain(HEX.decode(in.readLine())) ? '1' : '0');
        }
        return answers.toString();
      default:
        return "unsupported";
    }
  }

  /** The bits of its words, which follow six bytes of a header when it is written. */
  private static long written() throws Exception {
    final var bytes = new java.io.ByteArrayOutputStream();
    filter.writeTo(bytes);
    return 8L * (bytes.size() - 6);
  }

  public static void main(String[] arguments) throws Exception {
    final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    System.out.println(
        "bloomlab-filter 1 text name=java/guava version=" + System.getenv("WILD_VERSION"));
    for (String line; (line = in.readLine()) != null; ) {
      System.out.println(call(line.split(" "), in));
      System.out.flush();
    }
  }
}
