package io.hiroba.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** A way to a database server that makes connections late, or is cut at one of them. */
public final class TcpProxy implements AutoCloseable {

    private final URI target;
    private final ServerSocket server;
    private final IntPredicate admits;
    private final AtomicInteger count = new AtomicInteger();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    /**
     * A way to the server of a JDBC URL.
     *
     * @param admits asked before the connection of each number, from 1, is passed on; where it says no, all end and none follows
     */
    public TcpProxy(String jdbcUrl, IntPredicate admits) {
        this.target = URI.create(jdbcUrl.substring("jdbc:".length()));
        this.admits = admits;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + target.getPath();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var client = server.accept();
                open.add(client);
                int number = count.incrementAndGet();
                Thread.ofVirtual().start(() -> pass(client, number));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void pass(Socket client, int number) {
        if (!admits.test(number)) {
            close();
            return;
        }
        try (client;
                var postgres = new Socket(InetAddress.getLoopbackAddress(), target.getPort())) {
            var answers = Thread.ofVirtual().start(() -> copy(postgres, client));
            copy(client, postgres);
            answers.join();
        } catch (IOException cut) {
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException oneSideHasGone) {
            return;
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            for (var socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
