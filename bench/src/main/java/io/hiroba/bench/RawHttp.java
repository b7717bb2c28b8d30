package io.hiroba.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A minimal HTTP client on one kept-alive connection, which shares the machine with the server. */
public final class RawHttp implements AutoCloseable {

    private static final int BUFFER_SIZE = 1 << 16;
    private static final String LENGTH = "content-length:";

    private final Socket socket;
    private final InputStream in;
    private final String headers;
    private final byte[] read = new byte[BUFFER_SIZE];
    private int from;
    private int to;

    public RawHttp(URI server, String token) {
        try {
            socket = new Socket(server.getHost(), server.getPort());
            socket.setTcpNoDelay(true);
            in = socket.getInputStream();
            headers = " HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer " + token + "\r\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the whole response and returns its length; a failure is a defect of the benchmark. */
    public int get(String path) {
        return exchange("GET " + path + headers + "\r\n", path);
    }

    /** The same for JSON that is sent by {@code method}. */
    public int send(String method, String path, String json) {
        var body = json.getBytes(StandardCharsets.UTF_8);
        var head = method + " " + path + headers + "Content-Type: application/json\r\nContent-Length: " + body.length
                + "\r\n\r\n";
        return exchange(head + json, path);
    }

    private int exchange(String request, String path) {
        try {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            var status = line();
            if (!status.startsWith("HTTP/1.1 20")) {
                throw new IllegalStateException(path + ": " + status);
            }
            int length = -1;
            for (var header = line(); !header.isEmpty(); header = line()) {
                if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                    length = Integer.parseInt(header.substring(LENGTH.length()).strip());
                }
            }
            return length >= 0 ? pass(length) : chunks();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int chunks() throws IOException {
        int total = 0;
        while (true) {
            int size = Integer.parseInt(line(), 16);
            total += pass(size);
            line();
            if (size == 0) {
                return total;
            }
        }
    }

    private int pass(int bytes) throws IOException {
        for (int left = bytes; left > 0; ) {
            if (from == to) {
                readMore();
            }
            int passed = Math.min(left, to - from);
            from += passed;
            left -= passed;
        }
        return bytes;
    }

    private String line() throws IOException {
        for (int end = from; ; end++) {
            if (end == to) {
                end -= from;
                readMore();
            }
            if (read[end] == '\n') {
                var line = new String(read, from, end - 1 - from, StandardCharsets.ISO_8859_1);
                from = end + 1;
                return line;
            }
        }
    }

    /** Moves the unread bytes to the beginning of the buffer. */
    private void readMore() throws IOException {
        System.arraycopy(read, from, read, 0, to - from);
        to -= from;
        from = 0;
        int more = in.read(read, to, BUFFER_SIZE - to);
        if (more < 0) {
            throw new IOException("the server closed the connection");
        }
        to += more;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
