package io.hiroba.testkit;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An authenticator app on the phone of a test person, with the key that a page shows. */
public record AuthenticatorApp(String key) {

    private static final int SECRET_BYTES = 20;

    /** The code that it shows at {@code now}. */
    public String code(Instant now) {
        try {
            var mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(secret(), "HmacSHA1"));
            var hash = mac.doFinal(
                    ByteBuffer.allocate(8).putLong(now.getEpochSecond() / 30).array());
            int number = ByteBuffer.wrap(hash).getInt(hash[19] & 15) & 0x7FFFFFFF;
            return "%06d".formatted(number % 1_000_000);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Base32 is a number whose digits have five bits: BigInteger writes them 0 to 9 and a to v. */
    private byte[] secret() {
        var digits = new StringBuilder();
        for (var each : key.replace(" ", "").toCharArray()) {
            digits.append(Character.forDigit(each >= 'A' ? each - 'A' : each - '2' + 26, 32));
        }
        var bytes = new BigInteger(digits.toString(), 32).toByteArray();
        var secret = new byte[SECRET_BYTES];
        var tail = Arrays.copyOfRange(bytes, Math.max(0, bytes.length - SECRET_BYTES), bytes.length);
        System.arraycopy(tail, 0, secret, SECRET_BYTES - tail.length, tail.length);
        return secret;
    }
}
