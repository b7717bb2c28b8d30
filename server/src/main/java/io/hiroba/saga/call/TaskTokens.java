package io.hiroba.saga.call;

import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.id.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tokens of tasks. Each is derived from the attempt by a key that only the nodes have, so that a call which is made again
 * after a crash is sent with the same; the tables hold its hash.
 */
final class TaskTokens {

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    TaskTokens(SecretStore secrets) {
        key = new SecretKeySpec(secrets.get("task-key"), ALGORITHM);
    }

    String of(StepCall call) {
        return of(call.saga() + ":" + call.stepIndex() + ":" + call.kind() + ":" + call.attempt());
    }

    String of(TaskStore.Queued task) {
        return of(task.saga() + ":" + task.step() + ":" + task.kind() + ":" + task.attempt());
    }

    private String of(String attempt) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(attempt.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    static byte[] hash(String token) {
        return Sha256.of(token);
    }
}
