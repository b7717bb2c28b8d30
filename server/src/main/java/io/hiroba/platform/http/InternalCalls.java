package io.hiroba.platform.http;

import io.javalin.config.JavalinConfig;
import io.javalin.config.Key;
import io.javalin.http.Context;
import io.javalin.http.servlet.JavalinServlet;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the API within the process, in the name of whoever sent a request: with its authorization, address and limits, through
 * everything that a request from outside passes. Nothing may be allowed here that is not allowed there.
 */
public final class InternalCalls {

    private static final Key<HttpServlet> SERVLET = new Key<>("hiroba.servlet");

    private final HttpServlet servlet;
    private final HttpServletRequest origin;
    private final HttpServletResponse response;

    /**
     * The answer to a call.
     *
     * @param body as text; empty if there is none
     */
    public record Answer(int status, String body) {

        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    private InternalCalls(HttpServlet servlet, HttpServletRequest origin, HttpServletResponse response) {
        this.servlet = servlet;
        this.origin = origin;
        this.response = response;
    }

    static void install(JavalinConfig javalin) {
        javalin.appData(SERVLET, new JavalinServlet(javalin.unsafe));
    }

    /** Calls in the name of the sender of this request. */
    public static InternalCalls of(Context ctx) {
        return new InternalCalls(ctx.appData(SERVLET), ctx.req(), ctx.res());
    }

    /**
     * Makes a call and waits for its answer.
     *
     * @param target the encoded path with its query
     * @param body JSON; null for none
     * @param headers besides those of the origin that say who is calling
     */
    public Answer call(String method, String target, byte @Nullable [] body, Map<String, String> headers) {
        var request = new Request(origin, method, target, body == null ? new byte[0] : body, headers);
        var answer = new Response(response);
        try {
            servlet.service(request, answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        }
        return new Answer(answer.status, answer.bytes.toString(StandardCharsets.UTF_8));
    }

    /** The request of a call: its own method, target and body, and what says who is calling of the one that it is made for. */
    private static final class Request extends HttpServletRequestWrapper {

        private static final List<String> KEPT =
                List.of("authorization", "accept-language", "user-agent", "x-forwarded-for", "forwarded", "host");

        private final String method;
        private final String path;
        private final @Nullable String query;
        private final byte[] body;
        private final ServletInputStream input;
        private final Map<String, String> headers = new HashMap<>();
        private final Map<String, Object> attributes = new HashMap<>();

        Request(HttpServletRequest origin, String method, String target, byte[] body, Map<String, String> more) {
            super(origin);
            int mark = target.indexOf('?');
            this.method = method;
            this.path = mark < 0 ? target : target.substring(0, mark);
            this.query = mark < 0 ? null : target.substring(mark + 1);
            this.body = body;
            this.input = new Body(body);
            for (var name : KEPT) {
                var value = origin.getHeader(name);
                if (value != null) {
                    headers.put(name, value);
                }
            }
            headers.put("accept", "application/json");
            if (body.length > 0) {
                headers.put("content-type", "application/json");
                headers.put("content-length", Integer.toString(body.length));
            }
            more.forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
        }

        @Override
        public String getMethod() {
            return method;
        }

        @Override
        public String getRequestURI() {
            return path;
        }

        @Override
        public StringBuffer getRequestURL() {
            return new StringBuffer(path);
        }

        @Override
        public @Nullable String getQueryString() {
            return query;
        }

        @Override
        public @Nullable String getHeader(String name) {
            return headers.get(name.toLowerCase(Locale.ROOT));
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            var value = getHeader(name);
            return value == null ? Collections.emptyEnumeration() : Collections.enumeration(List.of(value));
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            return Collections.enumeration(headers.keySet());
        }

        @Override
        public @Nullable String getContentType() {
            return getHeader("content-type");
        }

        @Override
        public int getContentLength() {
            return body.length;
        }

        @Override
        public long getContentLengthLong() {
            return body.length;
        }

        @Override
        public String getCharacterEncoding() {
            return StandardCharsets.UTF_8.name();
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            return attributes.get(name);
        }

        @Override
        public Enumeration<String> getAttributeNames() {
            return Collections.enumeration(attributes.keySet());
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            if (value == null) {
                attributes.remove(name);
            } else {
                attributes.put(name, value);
            }
        }

        @Override
        public void removeAttribute(String name) {
            attributes.remove(name);
        }

        @Override
        public ServletInputStream getInputStream() {
            return input;
        }

        @Override
        public BufferedReader getReader() {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
    }

    private static final class Body extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        Body(byte[] bytes) {
            this.bytes = new ByteArrayInputStream(bytes);
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            return bytes.read(to, offset, length);
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException("the body is there already");
        }
    }

    /** The response of a call, kept in memory; nothing of it reaches the one that it is made for. */
    private static final class Response extends HttpServletResponseWrapper {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Map<String, String> headers = new HashMap<>();
        private int status = 200;

        Response(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void setStatus(int code) {
            this.status = code;
        }

        @Override
        public int getStatus() {
            return status;
        }

        @Override
        public void sendError(int code) {
            this.status = code;
        }

        @Override
        public void sendError(int code, String message) {
            this.status = code;
        }

        @Override
        public void setHeader(String name, @Nullable String value) {
            if (value == null) {
                headers.remove(name.toLowerCase(Locale.ROOT));
            } else {
                headers.put(name.toLowerCase(Locale.ROOT), value);
            }
        }

        @Override
        public void addHeader(String name, String value) {
            setHeader(name, value);
        }

        @Override
        public boolean containsHeader(String name) {
            return getHeader(name) != null;
        }

        @Override
        public @Nullable String getHeader(String name) {
            return headers.get(name.toLowerCase(Locale.ROOT));
        }

        @Override
        public Collection<String> getHeaders(String name) {
            var value = getHeader(name);
            return value == null ? List.of() : List.of(value);
        }

        @Override
        public Collection<String> getHeaderNames() {
            return headers.keySet();
        }

        @Override
        public void setContentType(String type) {
            setHeader("content-type", type);
        }

        @Override
        public @Nullable String getContentType() {
            return getHeader("content-type");
        }

        @Override
        public void setContentLength(int length) {}

        @Override
        public void setContentLengthLong(long length) {}

        @Override
        public void setCharacterEncoding(String charset) {}

        @Override
        public String getCharacterEncoding() {
            return StandardCharsets.UTF_8.name();
        }

        @Override
        public void addCookie(Cookie cookie) {}

        @Override
        public void flushBuffer() {}

        @Override
        public boolean isCommitted() {
            return false;
        }

        @Override
        public void reset() {
            bytes.reset();
            headers.clear();
        }

        @Override
        public void resetBuffer() {
            bytes.reset();
        }

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public void write(int value) {
                    bytes.write(value);
                }

                @Override
                public void write(byte[] from, int offset, int length) {
                    bytes.write(from, offset, length);
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {
                    throw new UnsupportedOperationException("the response is written at once");
                }
            };
        }

        @Override
        public PrintWriter getWriter() {
            return new PrintWriter(bytes, true, StandardCharsets.UTF_8);
        }
    }
}
