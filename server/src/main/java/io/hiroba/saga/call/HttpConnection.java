package io.hiroba.saga.call;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/1.1 without TLS, for one call at a time. It is read and written by the thread that calls: a client that
 * hands calls over to threads of its own takes several times the processor time.
 */
final class HttpConnection implements AutoCloseable {

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] [1-5][0-9]{2}( .*)?");

    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,15}");
    private static final Pattern HEXADECIMAL = Pattern.compile("[0-9A-Fa-f]{1,15}");
    private static final int BUFFER_SIZE = 4096;
    private static final int MAX_HEAD_SIZE = 1 << 16;
    private static final int NO_BODY = 204;
    private static final int NOT_MODIFIED = 304;

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE).flip();

    /** The time of {@link System#nanoTime} of the last answer. */
    private long lastUse;

    private boolean reusable;

    HttpConnection(String host, int port, Duration connectTimeout) throws IOException {
        channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().connect(new InetSocketAddress(host, port), (int) Math.max(1, connectTimeout.toMillis()));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The header fields of an answer that matter here. */
    private static final class AnswerHead {
        int status;

        @Nullable
        Long length;

        boolean chunked;
        boolean closes;

        @Nullable
        String retryAfter;

        @Nullable
        String contentType;

        @Nullable
        String requestId;
    }

    /** Sends a request and reads its answer, of whose body no more than {@code max} bytes are kept. */
    HttpAnswer exchange(ByteBuffer request, int max) throws IOException {
        reusable = false;
        while (request.hasRemaining()) {
            channel.write(request);
        }
        var head = head();
        while (head.status < 200) {
            head = head();
        }
        var body = new ByteArrayOutputStream();
        boolean complete = body(head, body, max);
        // Bytes that nobody asked for would be taken for the next answer.
        reusable = complete && !head.closes && !buffer.hasRemaining();
        lastUse = System.nanoTime();
        return new HttpAnswer(
                head.status,
                new HttpAnswer.Headers(head.contentType, head.requestId, head.retryAfter),
                new BoundedBody.Read(ByteBuffer.wrap(body.toByteArray()), complete));
    }

    /** Whether the last answer has ended and leaves the connection open. */
    boolean isReusable() {
        return reusable;
    }

    boolean wasUsedWithin(Duration time) {
        return System.nanoTime() - lastUse < time.toNanos();
    }

    /** Whether the service has neither closed it nor sent anything since. */
    boolean isSilent() {
        try {
            channel.configureBlocking(false);
            int read = channel.read(ByteBuffer.allocate(1));
            channel.configureBlocking(true);
            return read == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private AnswerHead head() throws IOException {
        var head = new AnswerHead();
        int left = MAX_HEAD_SIZE;
        var status = line(left);
        if (!STATUS.matcher(status).matches()) {
            throw new ProtocolException("not an answer of HTTP/1.1");
        }
        head.status = Integer.parseInt(status.substring(9, 12));
        head.closes = status.startsWith("HTTP/1.0");
        left -= status.length();
        for (var field = line(left); !field.isEmpty(); field = line(left)) {
            left -= field.length() + 2;
            int colon = field.indexOf(':');
            if (colon <= 0) {
                throw new ProtocolException("not a header field");
            }
            read(
                    head,
                    field.substring(0, colon).toLowerCase(Locale.ROOT),
                    field.substring(colon + 1).strip());
        }
        // Both lengths at once are how answers are smuggled: the connection is not used again.
        head.closes |= head.chunked && head.length != null;
        return head;
    }

    private static void read(AnswerHead head, String name, String value) throws ProtocolException {
        switch (name) {
            case "content-length" -> {
                long length = Long.parseLong(length(value, DECIMAL));
                if (head.length != null && head.length != length) {
                    throw new ProtocolException("two lengths");
                }
                head.length = length;
            }
            case "transfer-encoding" -> {
                if (!value.equalsIgnoreCase("chunked")) {
                    throw new ProtocolException("an unknown transfer encoding");
                }
                head.chunked = true;
            }
            case "connection" -> head.closes |= value.toLowerCase(Locale.ROOT).contains("close");
            case "retry-after" -> head.retryAfter = head.retryAfter == null ? value : head.retryAfter;
            case "content-type" -> head.contentType = value;
            case "x-request-id" -> head.requestId = value;
            default -> {
                // Says nothing about how the answer is read.
            }
        }
    }

    /** Reads the body; false if it has more than {@code max} bytes, and the rest is left unread. */
    private boolean body(AnswerHead head, ByteArrayOutputStream body, int max) throws IOException {
        if (head.status == NO_BODY || head.status == NOT_MODIFIED) {
            return true;
        }
        if (head.chunked) {
            return chunks(body, max);
        }
        if (head.length != null) {
            return bytes(head.length, body, max);
        }
        head.closes = true;
        while (fill()) {
            if (!bytes(buffer.remaining(), body, max)) {
                return false;
            }
        }
        return true;
    }

    private boolean chunks(ByteArrayOutputStream body, int max) throws IOException {
        while (true) {
            var line = line(MAX_HEAD_SIZE);
            int extension = line.indexOf(';');
            var digits = (extension < 0 ? line : line.substring(0, extension)).strip();
            long size = Long.parseLong(length(digits, HEXADECIMAL), 16);
            if (size == 0) {
                int left = MAX_HEAD_SIZE;
                for (var trailer = line(left); !trailer.isEmpty(); trailer = line(left)) {
                    left -= trailer.length() + 2;
                }
                return true;
            }
            if (!bytes(size, body, max)) {
                return false;
            }
            if (!line(MAX_HEAD_SIZE).isEmpty()) {
                throw new ProtocolException("a chunk without end");
            }
        }
    }

    private boolean bytes(long count, ByteArrayOutputStream body, int max) throws IOException {
        long left = count;
        while (left > 0) {
            require(fill());
            int part = (int) Math.min(left, buffer.remaining());
            int kept = Math.min(part, max - body.size());
            body.write(buffer.array(), buffer.position(), kept);
            if (kept < part) {
                return false;
            }
            buffer.position(buffer.position() + part);
            left -= part;
        }
        return true;
    }

    private String line(int max) throws IOException {
        var line = new StringBuilder();
        while (true) {
            require(fill());
            int from = buffer.position();
            int to = from;
            while (to < buffer.limit() && buffer.get(to) != '\n') {
                to++;
            }
            line.append(new String(buffer.array(), from, to - from, StandardCharsets.ISO_8859_1));
            if (line.length() > max) {
                throw new ProtocolException("a head of too many bytes");
            }
            if (to < buffer.limit()) {
                buffer.position(to + 1);
                int end = line.length() - 1;
                return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
            }
            buffer.position(to);
        }
    }

    /** Reads more if there is nothing left; false at the end of the connection. */
    private boolean fill() throws IOException {
        if (buffer.hasRemaining()) {
            return true;
        }
        buffer.clear();
        int read = channel.read(buffer);
        buffer.flip();
        return read > 0;
    }

    private static void require(boolean more) throws EOFException {
        if (!more) {
            throw new EOFException("the connection ended within an answer");
        }
    }

    /** A length, which has no sign. */
    private static String length(String text, Pattern digits) throws ProtocolException {
        if (!digits.matcher(text).matches()) {
            throw new ProtocolException("not a length");
        }
        return text;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            reusable = false; // it is of no use any more in any case
        }
    }
}
