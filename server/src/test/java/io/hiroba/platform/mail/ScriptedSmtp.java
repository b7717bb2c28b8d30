package io.hiroba.platform.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An SMTP server that answers one command as it is told to, which real ones do when they please. */
final class ScriptedSmtp implements AutoCloseable {

    private final ServerSocket server;
    private final String command;
    private final @Nullable String answer;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final List<String> accepted = new CopyOnWriteArrayList<>();

    private ScriptedSmtp(String command, @Nullable String answer) {
        this.command = command;
        this.answer = answer;
        try {
            server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    static ScriptedSmtp answering(String command, String answer) {
        return new ScriptedSmtp(command, answer);
    }

    /** Never answers {@code command}. */
    static ScriptedSmtp silentAt(String command) {
        return new ScriptedSmtp(command, null);
    }

    int port() {
        return server.getLocalPort();
    }

    /** How often the command was heard. */
    int asked() {
        return asked.get();
    }

    /** The recipients of accepted mails. */
    List<String> accepted() {
        return List.copyOf(accepted);
    }

    private void accept() {
        try {
            while (true) {
                var socket = server.accept();
                Thread.ofVirtual().start(() -> talk(socket));
            }
        } catch (IOException e) {
            closed.countDown();
        }
    }

    private void talk(Socket socket) {
        try (socket;
                var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            var out = socket.getOutputStream();
            say(out, "220 ready");
            String recipient = "";
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                var heard = line.toUpperCase(Locale.ROOT);
                if (heard.startsWith(command)) {
                    asked.incrementAndGet();
                    if (answer == null) {
                        closed.await();
                        return;
                    }
                    say(out, answer);
                } else if (heard.startsWith("DATA")) {
                    say(out, "354 go on");
                    readData(in);
                    accepted.add(recipient);
                    say(out, "250 taken");
                } else if (heard.startsWith("QUIT")) {
                    say(out, "221 bye");
                    return;
                } else {
                    recipient = heard.startsWith("RCPT TO:") ? line.substring(8) : recipient;
                    say(out, "250 fine");
                }
            }
        } catch (IOException | InterruptedException e) {
            // The other side is gone, or the test is over.
            Thread.currentThread().interrupt();
        }
    }

    private static void readData(BufferedReader in) throws IOException {
        String line;
        do {
            line = in.readLine();
        } while (line != null && !".".equals(line));
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(UTF_8));
        out.flush();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
