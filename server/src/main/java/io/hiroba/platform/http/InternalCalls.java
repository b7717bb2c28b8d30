package io.hiroba.platform.http;

import io.hiroba.platform.trace.TraceSpan;
import io.javalin.config.JavalinConfig;
import io.javalin.config.Key;
import io.javalin.http.Context;
import io.javalin.http.servlet.JavalinServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Calls of the API within the process, in the name of whoever sent a request: with its authorization, address and limits, through
 * everything that a request from outside passes. Nothing may be allowed here that is not allowed there.
 */
public final class InternalCalls {

    private static final Key<HttpServlet> SERVLET = new Key<>("hiroba.servlet");

    private final HttpServlet servlet;
    private final HttpServletRequest origin;
    private final HttpServletResponse response;
    private final String requestId;

    /**
     * The answer to a call.
     *
     * @param body as text; empty if there is none
     * @param headers by their names in lower case
     */
    public record Answer(int status, String body, Map<String, String> headers) {

        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        /** The value of a header; null if the answer has none. */
        public @Nullable String header(String name) {
            return headers.get(name.toLowerCase(Locale.ROOT));
        }
    }

    private InternalCalls(
            HttpServlet servlet, HttpServletRequest origin, HttpServletResponse response, String requestId) {
        this.servlet = servlet;
        this.origin = origin;
        this.response = response;
        this.requestId = requestId;
    }

    static void install(JavalinConfig javalin) {
        javalin.appData(SERVLET, new JavalinServlet(javalin.unsafe));
    }

    /** Calls in the name of the sender of this request. */
    public static InternalCalls of(Context ctx) {
        return new InternalCalls(ctx.appData(SERVLET), ctx.req(), ctx.res(), RequestId.of(ctx));
    }

    /**
     * Makes a call and waits for its answer.
     *
     * @param target the encoded path with its query
     * @param body JSON; null for none
     * @param headers besides those of the origin that say who is calling
     */
    public Answer call(String method, String target, byte @Nullable [] body, Map<String, String> headers) {
        var all = new HashMap<>(headers);
        // One id for both, by which the log tells what belongs together.
        all.put(RequestId.HEADER, requestId);
        var request = new InternalRequest(origin, method, target, body == null ? new byte[0] : body, all);
        var answer = new InternalResponse(response);
        // The end of the call clears what the log knows of the request around it.
        var logged = MDC.getCopyOfContextMap();
        try {
            TraceSpan.current().child(method, TraceSpan.Kind.INTERNAL).<@Nullable Void, Exception>call(() -> {
                servlet.service(request, answer);
                return null;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            MDC.setContextMap(logged == null ? Map.of() : logged);
        }
        return answer.toAnswer();
    }
}
