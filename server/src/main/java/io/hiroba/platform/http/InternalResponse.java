package io.hiroba.platform.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The response of a call, kept in memory; nothing of it reaches the one that it is made for. */
final class InternalResponse extends HttpServletResponseWrapper {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Map<String, String> headers = new HashMap<>();
    private int status = 200;

    InternalResponse(HttpServletResponse response) {
        super(response);
    }

    InternalCalls.Answer toAnswer() {
        return new InternalCalls.Answer(status, bytes.toString(StandardCharsets.UTF_8), Map.copyOf(headers));
    }

    /** The length of the body so far. */
    int length() {
        return bytes.size();
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
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        setIntHeader(name, value);
    }

    @Override
    public void setDateHeader(String name, long value) {
        var time = Instant.ofEpochMilli(value).atOffset(ZoneOffset.UTC);
        setHeader(name, DateTimeFormatter.RFC_1123_DATE_TIME.format(time));
    }

    @Override
    public void addDateHeader(String name, long value) {
        setDateHeader(name, value);
    }

    @Override
    public void sendRedirect(String location) {
        bytes.reset();
        status = SC_FOUND;
        setHeader("location", location);
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
