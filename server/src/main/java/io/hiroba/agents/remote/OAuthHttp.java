package io.hiroba.agents.remote;

import io.hiroba.agents.remote.RemoteFailure.Kind;
import io.hiroba.platform.http.OutgoingHttp;
import io.hiroba.platform.http.OutgoingUrl;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.http.HttpMethod;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Requests to authorization servers, whose addresses other servers tell: each is checked as those of servers of tools are, redirects are not
 * followed, and time and bytes are bounded.
 */
final class OAuthHttp {

    private static final int MAX_BYTES = 256 << 10;
    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(15);

    private final OutgoingHttp outgoing;
    private final boolean privateAddresses;
    private final Duration timeout;

    OAuthHttp(OutgoingHttp outgoing, ToolServersConfig config) {
        this.outgoing = outgoing;
        this.privateAddresses = config.privateAddresses();
        this.timeout = config.timeout().compareTo(MAX_TIMEOUT) < 0 ? config.timeout() : MAX_TIMEOUT;
    }

    /**
     * An answer.
     *
     * @param challenge what it says of the credential that it needs; empty if nothing
     * @param body missing if it is not JSON
     */
    record Reply(int status, String challenge, JsonNode body) {

        boolean isOk() {
            return status >= 200 && status <= 299;
        }

        /** A text of the body; empty if there is none. */
        String text(String name) {
            return body.path(name).asString("");
        }
    }

    /** An address that may be asked or shown to a browser. */
    String usable(String url) throws RemoteFailure {
        var fault = OutgoingUrl.check(url, privateAddresses);
        if (fault.isPresent()) {
            throw new RemoteFailure(
                    fault.get() == OutgoingUrl.Fault.PRIVATE ? Kind.PRIVATE_ADDRESS : Kind.AUTHORIZATION_SERVER);
        }
        return url;
    }

    Reply get(String url) throws RemoteFailure, InterruptedException {
        return send(request(url, HttpMethod.GET).headers(headers -> headers.put("Accept", "application/json")), true);
    }

    Reply post(String url, String type, String body, @Nullable String authorization)
            throws RemoteFailure, InterruptedException {
        var content = new StringRequestContent(type, body, StandardCharsets.UTF_8);
        return send(
                request(url, HttpMethod.POST).body(content).headers(headers -> {
                    headers.put("Accept", "application/json");
                    if (authorization != null) {
                        headers.put("Authorization", authorization);
                    }
                }),
                true);
    }

    /** Begins a session with a server of tools without a credential, for what it says of the one that it needs. */
    Reply unauthorized(String url) throws RemoteFailure, InterruptedException {
        var content = new StringRequestContent(
                "application/json", """
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}""".formatted(McpSession.INITIALIZE), StandardCharsets.UTF_8);
        return send(
                request(url, HttpMethod.POST)
                        .body(content)
                        .headers(headers -> headers.put("Accept", "application/json, text/event-stream")),
                false);
    }

    private Request request(String url, HttpMethod method) throws RemoteFailure {
        return outgoing.client()
                .newRequest(URI.create(usable(url)))
                .method(method)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Reply send(Request request, boolean withBody) throws RemoteFailure, InterruptedException {
        var listener = new InputStreamResponseListener();
        try (listener) {
            request.send(listener);
            var response = listener.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            var challenge = String.join(", ", response.getHeaders().getValuesList("WWW-Authenticate"));
            var type = Optional.ofNullable(response.getHeaders().get("Content-Type"))
                    .orElse("");
            var isJson = withBody && (type.startsWith("application/json") || type.contains("+json"));
            return new Reply(response.getStatus(), challenge, isJson ? read(listener) : MissingNode.getInstance());
        } catch (InterruptedIOException e) {
            throw new InterruptedException();
        } catch (ExecutionException | TimeoutException | IOException e) {
            throw RemoteFailure.of(e);
        } finally {
            // Nothing if it has ended.
            var _ = request.abort(new CancellationException());
        }
    }

    private static JsonNode read(InputStreamResponseListener listener) throws IOException {
        var in = new BoundedInput(listener.getInputStream(), MAX_BYTES);
        try {
            return RemoteDefinition.JSON.readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }
}
