package io.hiroba.platform.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The request of a call: its own method, target and body, and what says who is calling of the one that it is made for. */
final class InternalRequest extends HttpServletRequestWrapper {

    private static final List<String> KEPT =
            List.of("authorization", "accept-language", "user-agent", "x-forwarded-for", "forwarded", "host");

    private final String method;
    private final String path;
    private final @Nullable String query;
    private final byte[] body;
    private final ServletInputStream input;
    private final Map<String, List<String>> headers = new HashMap<>();
    private final Map<String, Object> attributes = new HashMap<>();

    InternalRequest(HttpServletRequest origin, String method, String target, byte[] body, Map<String, String> more) {
        super(origin);
        int mark = target.indexOf('?');
        this.method = method;
        this.path = mark < 0 ? target : target.substring(0, mark);
        this.query = mark < 0 ? null : target.substring(mark + 1);
        this.body = body;
        this.input = new Body(body);
        for (var name : KEPT) {
            // All lines: the last ones are those that the proxies next to us wrote.
            var values = Collections.list(origin.getHeaders(name));
            if (!values.isEmpty()) {
                headers.put(name, values);
            }
        }
        headers.put("accept", List.of("application/json"));
        if (body.length > 0) {
            headers.put("content-type", List.of("application/json"));
            headers.put("content-length", List.of(Integer.toString(body.length)));
        }
        more.forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), List.of(value)));
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
        var values = values(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(values(name));
    }

    private List<String> values(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    @Override
    public int getIntHeader(String name) {
        var value = getHeader(name);
        return value == null ? -1 : Integer.parseInt(value);
    }

    /** The API takes no dates in headers. */
    @Override
    public long getDateHeader(String name) {
        return -1;
    }

    /** Only a token says who is calling. */
    @Override
    public Cookie @Nullable [] getCookies() {
        return null;
    }

    @Override
    public HttpSession getSession(boolean create) {
        throw new IllegalStateException("A call within the process has no session");
    }

    @Override
    public HttpSession getSession() {
        return getSession(true);
    }

    @Override
    public AsyncContext startAsync() {
        throw new IllegalStateException("A call within the process is answered at once");
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return startAsync();
    }

    @Override
    public boolean isAsyncSupported() {
        return false;
    }

    @Override
    public boolean isAsyncStarted() {
        return false;
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
}
