import java.util.Base64;
import java.util.Scanner;

/** Answers each line of a case with true or false; false for a secret that cannot be used. */
public final class Verify {
    public static void main(String[] args) throws Exception {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] parts = lines.nextLine().split("\t", -1);
            byte[] body = Base64.getDecoder().decode(parts[4]);
            boolean answer;
            try {
                answer = WebhookSignature.isSigned(
                        parts[0], parts[1], parts[2], parts[3], body, Long.parseLong(parts[5]));
            } catch (IllegalArgumentException error) {
                answer = false;
            }
            System.out.println(answer);
        }
    }
}
