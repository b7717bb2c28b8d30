package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.saga.call.CallSecrets.SigningSecret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallSecretsTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_794_960_000);
    private static final SigningSecret FIRST =
            SigningSecret.of("9f3c21d07be84a55", "q3ZcJ0m1l5V9o8bK2xW7rT4uY6aE0dGfHhIiJjKkLlM");

    private static String signature(SigningSecret... keys) {
        return new CallSecrets(null, List.of(keys), true)
                .signature(
                        NOW,
                        "/api/reserve",
                        "0198c2e8-46ee-7000-8000-00000000beef:0:EXECUTE",
                        "{\"order\":7}".getBytes(StandardCharsets.UTF_8));
    }

    /** The example of the guide, computed with openssl. */
    @Test
    void aCallIsSignedAsTheGuideSays() {
        assertThat(signature(FIRST))
                .isEqualTo("t=1794960000,kid=9f3c21d07be84a55,"
                        + "v1=142cea7248e9b34535562a07b738af6cbdc40c8c4ba1be85dd0d7102afd7515e");
    }

    @Test
    void eachKeySignsAndNoneIsWrittenToALog() {
        assertThat(signature(FIRST, SigningSecret.of("00000000000000aa", "another")))
                .matches("t=1794960000,kid=9f3c21d07be84a55,v1=[0-9a-f]{64},kid=00000000000000aa,v1=[0-9a-f]{64}");
        assertThat(CallSecrets.NONE.isSigning()).isFalse();
        assertThat(new CallSecrets("Bearer hush", List.of(FIRST), true).toString())
                .doesNotContain("hush")
                .doesNotContain("q3Zc");
    }
}
