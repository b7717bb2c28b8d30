package io.hiroba.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A request over a socket, of a client that does what HTTP clients do not: breaks off, or does not read the answer. */
public final class RawRequest implements AutoCloseable {

    private final Socket socket;

    private RawRequest(Socket socket) {
        this.socket = socket;
    }

    /** Sends {@code body}, whatever length {@code headers} say. */
    public static RawRequest post(String server, String path, String headers, String body) {
        try {
            return sent(URI.create(server), path, headers, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RawRequest sent(URI address, String path, String headers, String body) throws IOException {
        var socket = new Socket();
        // So that a server notices after some kilobytes that nobody reads.
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
        var head = "POST %s HTTP/1.1\r\nHost: localhost\r\n%sConnection: close\r\n\r\n"
                .formatted(URI.create(path).toASCIIString(), headers);
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
        return new RawRequest(socket);
    }

    /** Waits for the first byte of the answer. */
    public void begin() {
        try {
            socket.getInputStream().read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The answer until the connection ends. */
    public String answer() {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends no more, and returns the answer. */
    public String cutOff() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return answer();
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
