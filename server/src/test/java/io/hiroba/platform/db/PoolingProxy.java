package io.hiroba.platform.db;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * A proxy before PostgreSQL that treats connections as PgBouncer does: it drops the {@code options} of their start, and in the
 * mode {@link Mode#TRANSACTION} gives each transaction the session that was used last.
 */
final class PoolingProxy implements AutoCloseable {

    enum Mode {
        SESSION,
        TRANSACTION,
        /** As {@link #TRANSACTION}, but with the options of each connection's own start. */
        TRANSACTION_WITH_OPTIONS
    }

    private static final int SSL_REQUEST = 80877103;

    private final ServerSocket server;
    private final URI target;
    private final Mode mode;
    private final BlockingDeque<Session> idle = new LinkedBlockingDeque<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    private record Message(int type, byte[] body) {

        static Message read(DataInputStream in) throws IOException {
            int type = in.readUnsignedByte();
            return new Message(type, in.readNBytes(in.readInt() - 4));
        }

        void write(DataOutputStream out) throws IOException {
            out.writeByte(type);
            out.writeInt(body.length + 4);
            out.write(body);
            out.flush();
        }
    }

    private record Session(DataInputStream in, DataOutputStream out) {}

    PoolingProxy(String jdbcUrl, Mode mode) {
        this.target = URI.create(jdbcUrl.substring("jdbc:".length()));
        this.mode = mode;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + target.getPath();
    }

    private void accept() {
        try {
            while (true) {
                var client = server.accept();
                open.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException closed) {
            assertClosed();
        }
    }

    private void assertClosed() {
        if (!server.isClosed()) {
            throw new IllegalStateException("the proxy ended");
        }
    }

    private void serve(Socket client) {
        try (client;
                var backend = new Socket(target.getHost(), target.getPort())) {
            open.add(backend);
            var in = new DataInputStream(client.getInputStream());
            var out = new DataOutputStream(client.getOutputStream());
            var own = new Session(
                    new DataInputStream(backend.getInputStream()), new DataOutputStream(backend.getOutputStream()));
            logIn(in, out, own);
            if (mode == Mode.SESSION) {
                while (true) {
                    exchange(Message.read(in), in, out, own);
                }
            }
            idle.push(own);
            while (true) {
                var request = Message.read(in);
                var session = idle.takeFirst();
                while (exchange(request, in, out, session) != 'I') {
                    request = Message.read(in);
                }
                idle.push(session);
            }
        } catch (EOFException | SocketException closed) {
            // The client went, or the test is over.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void logIn(DataInputStream in, DataOutputStream out, Session session) throws IOException {
        int length = in.readInt();
        int code = in.readInt();
        if (code == SSL_REQUEST) {
            out.writeByte('N');
            out.flush();
            length = in.readInt();
            code = in.readInt();
        }
        var start = start(in.readNBytes(length - 8));
        session.out().writeInt(start.length + 8);
        session.out().writeInt(code);
        session.out().write(start);
        session.out().flush();
        for (var answer = Message.read(session.in()); ; answer = Message.read(session.in())) {
            answer.write(out);
            if (answer.type() == 'Z') {
                return;
            }
            // 0 is "you are in", 12 comes before it without being asked for anything.
            if (answer.type() == 'R' && answer.body()[3] != 0 && answer.body()[3] != 12) {
                Message.read(in).write(session.out());
            }
        }
    }

    private byte[] start(byte[] parameters) {
        var fields = new ArrayList<>(List.of(new String(parameters, StandardCharsets.UTF_8).split("\0", -1)));
        int options = fields.indexOf("options");
        if (options >= 0 && mode != Mode.TRANSACTION_WITH_OPTIONS) {
            fields.subList(options, options + 2).clear();
        }
        return String.join("\0", fields).getBytes(StandardCharsets.UTF_8);
    }

    /** Passes on a request and its answer; the status of the transaction after it. */
    private static int exchange(Message first, DataInputStream in, DataOutputStream out, Session session)
            throws IOException {
        var request = first;
        request.write(session.out());
        while (request.type() != 'S' && request.type() != 'Q') {
            request = Message.read(in);
            request.write(session.out());
        }
        while (true) {
            var answer = Message.read(session.in());
            answer.write(out);
            if (answer.type() == 'Z') {
                return answer.body()[0];
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (var socket : open) {
            socket.close();
        }
    }
}
