package io.hiroba.bench.social;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection that is kept open, and costs the client next to nothing: it shares the machine with the server. */
final class RawHttp implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final String headers;

    RawHttp(URI server, String token) {
        try {
            socket = new Socket(server.getHost(), server.getPort());
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            headers = " HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer " + token + "\r\n\r\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the whole answer; anything but 200 is a mistake in the benchmark. */
    int get(String path) {
        try {
            socket.getOutputStream().write(("GET " + path + headers).getBytes(StandardCharsets.US_ASCII));
            var status = line();
            if (!status.contains(" 200")) {
                throw new IllegalStateException(path + ": " + status);
            }
            int length = -1;
            for (var header = line(); !header.isEmpty(); header = line()) {
                if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(header.substring(15).strip());
                }
            }
            return length >= 0 ? in.readNBytes(length).length : chunks();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int chunks() throws IOException {
        int total = 0;
        while (true) {
            int size = Integer.parseInt(line(), 16);
            in.readNBytes(size);
            line();
            total += size;
            if (size == 0) {
                return total;
            }
        }
    }

    private String line() throws IOException {
        var text = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server closed the connection");
            }
            if (c != '\r') {
                text.append((char) c);
            }
        }
        return text.toString();
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
