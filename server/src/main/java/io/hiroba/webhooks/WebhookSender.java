package io.hiroba.webhooks;

import io.hiroba.platform.http.OutgoingHttp;
import io.hiroba.platform.http.RetryAfter;
import io.hiroba.platform.http.SafeAddressResolver;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.webhooks.OutgoingDelivery.Failure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.http.HttpMethod;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends signed bodies to receivers, as Standard Webhooks says. The address is checked at each connection; redirects are not followed. */
final class WebhookSender implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WebhookSender.class);
    private static final int MAX_RESPONSE = 2048;

    /** The longest pause that a receiver may ask for. */
    static final Duration MAX_DELAY = Duration.ofHours(6);

    private final InstantSource clock;
    private final Duration timeout;
    private final OutgoingHttp outgoing;

    WebhookSender(InstantSource clock, Duration timeout, SafeAddressResolver addresses) {
        this.clock = clock;
        this.timeout = timeout;
        this.outgoing = new OutgoingHttp("webhooks", timeout, addresses);
    }

    /**
     * The answer to a request.
     *
     * @param status null if there was none
     * @param response the beginning of its body
     * @param failure null if it was a success
     * @param retryAfter the pause that the receiver asks for
     */
    record SendResult(
            @Nullable Integer status,
            int tookMillis,
            @Nullable String response,
            @Nullable Failure failure,
            Duration retryAfter) {}

    /** @param secrets the keys to sign with; a receiver takes either of two after a rotation */
    SendResult send(String url, String id, String body, List<byte[]> secrets) {
        long begun = System.nanoTime();
        var listener = new InputStreamResponseListener();
        var timestamp = Long.toString(clock.instant().getEpochSecond());
        try {
            request(url, id, timestamp, body, secrets).send(listener);
        } catch (RuntimeException e) {
            log.warn("A webhook cannot be sent to {}", url, e);
            return failed(begun, Failure.CONNECTION);
        }
        // Closing it discards the rest.
        try (listener) {
            var response = listener.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            int status = response.getStatus();
            var asked = response.getHeaders().get("Retry-After");
            var pause = asked == null ? null : RetryAfter.parse(asked, clock, MAX_DELAY);
            return new SendResult(
                    status,
                    millisSince(begun),
                    beginning(listener),
                    status >= 200 && status < 300 ? null : Failure.STATUS,
                    pause == null ? Duration.ZERO : pause);
        } catch (ExecutionException | TimeoutException | IOException e) {
            return failed(begun, failure(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed(begun, Failure.TIMEOUT);
        }
    }

    private Request request(String url, String id, String timestamp, String body, List<byte[]> secrets) {
        return outgoing.client()
                .newRequest(URI.create(url))
                .method(HttpMethod.POST)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .body(new StringRequestContent("application/json", body, StandardCharsets.UTF_8))
                .headers(headers -> {
                    headers.put("webhook-id", id);
                    headers.put("webhook-timestamp", timestamp);
                    headers.put("webhook-signature", signatures(id, timestamp, body, secrets));
                    var trace = TraceSpan.current().recordedTraceparent();
                    if (trace != null) {
                        headers.put("traceparent", trace);
                    }
                });
    }

    private static SendResult failed(long begun, Failure failure) {
        return new SendResult(null, millisSince(begun), null, failure, Duration.ZERO);
    }

    private static int millisSince(long begun) {
        return (int) Math.min(Integer.MAX_VALUE, (System.nanoTime() - begun) / 1_000_000);
    }

    /** What is read of the body does not matter to the outcome: the status has arrived. */
    private static String beginning(InputStreamResponseListener listener) {
        try (var in = listener.getInputStream()) {
            return new String(in.readNBytes(MAX_RESPONSE), StandardCharsets.UTF_8).replace("\0", "");
        } catch (IOException e) {
            log.debug("The body of an answer breaks off", e);
            return "";
        }
    }

    private static Failure failure(Exception failure) {
        log.debug("A webhook cannot be delivered", failure);
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case SafeAddressResolver.Refused refused -> {
                    return Failure.PRIVATE_ADDRESS;
                }
                case TimeoutException late -> {
                    return Failure.TIMEOUT;
                }
                case InterruptedIOException late -> {
                    return Failure.TIMEOUT;
                }
                case UnknownHostException unknown -> {
                    return Failure.NO_HOST;
                }
                case SSLException untrusted -> {
                    return Failure.CERTIFICATE;
                }
                default -> {}
            }
        }
        return Failure.CONNECTION;
    }

    /** The header {@code webhook-signature}: one signature for each secret. */
    static String signatures(String id, String timestamp, String body, List<byte[]> secrets) {
        var content = (id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8);
        return secrets.stream()
                .map(secret -> "v1," + signature(content, secret))
                .collect(Collectors.joining(" "));
    }

    private static String signature(byte[] content, byte[] secret) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(content));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        outgoing.close();
    }
}
