package io.hiroba.platform.http;

import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.Tracing;
import io.javalin.http.Context;
import io.javalin.http.RequestLogger;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span of each request, but for probes and files that pages link to. It is named by the route, never by the path or the query,
 * which may hold what people wrote.
 */
final class HttpTracing implements Filter, RequestLogger {

    private static final Set<String> PROBES = Set.of("/healthz", "/readyz", "/metrics", "/favicon.ico");

    private static final int FAILED = 500;

    private final Tracing tracing;

    HttpTracing(Tracing tracing) {
        this.tracing = tracing;
    }

    void install(ServletContextHandler context) {
        var holder = new FilterHolder(this);
        holder.setAsyncSupported(true);
        context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http) || isUninteresting(http.getRequestURI())) {
            chain.doFilter(request, response);
            return;
        }
        // The name is one of the method alone until the route is known.
        var name = HttpMetrics.method(http.getMethod());
        var span = tracing.beginRequest(http.getHeader("traceparent"), ClientAddress.peer(http), name);
        try {
            span.<@Nullable Void, Exception>call(() -> {
                chain.doFilter(request, response);
                return null;
            });
        } catch (IOException | ServletException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    private static boolean isUninteresting(String path) {
        return path.startsWith("/assets/") || PROBES.contains(path);
    }

    /** Says of the current span what is known at the end of its request, which may be a call within the process. */
    @Override
    public void handle(Context ctx, Float milliseconds) {
        var span = TraceSpan.current();
        if (!span.isRecording()) {
            return;
        }
        var method = HttpMetrics.method(ctx.method().name());
        var route = HttpMetrics.route(ctx);
        span.rename(method + " " + route)
                .set("http.request.method", method)
                .set("http.route", route)
                .set("http.response.status_code", ctx.statusCode())
                .set("hiroba.request_id", RequestId.of(ctx));
        if (ctx.statusCode() >= FAILED) {
            span.fail(Integer.toString(ctx.statusCode()));
        }
    }
}
