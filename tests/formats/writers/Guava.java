// Writes a filter of the keys key-0 ... key-(n-1) as Guava does: java -cp guava.jar Guava.java n p FILE
// With "read" before the file: loads it, and demands every key.
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;

public class Guava {
  public static void main(String[] words) throws Exception {
    final int n = Integer.parseInt(words[0]);
    if (words[2].equals("read")) {
      final var funnel = Funnels.stringFunnel(StandardCharsets.UTF_8);
      final var filter = BloomFilter.readFrom(new FileInputStream(words[3]), funnel);
      int found = 0;
      int absent = 0;
      for (int i = 0; i < n; i++) {
        if (filter.mightContain("key-" + i)) found++;
        if (filter.mightContain("absent-" + i)) absent++;
      }
      System.out.println(found + " " + absent);
      return;
    }
    final BloomFilter<CharSequence> filter =
        BloomFilter.create(
            Funnels.stringFunnel(StandardCharsets.UTF_8), n, Double.parseDouble(words[1]));
    for (int i = 0; i < n; i++) filter.put("key-" + i);
    try (var out = new FileOutputStream(words[2])) {
      filter.writeTo(out);
    }
  }
}
