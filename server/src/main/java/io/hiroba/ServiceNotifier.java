package io.hiroba;

import io.hiroba.platform.ResourceStack;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd that this node is ready, alive and stopping, where it was started as a service of the type notify.
 *
 * <p>A notice is a datagram to a Unix socket, which the JDK has no class for, so the C library's functions are called.
 */
final class ServiceNotifier {

    private static final Logger log = LoggerFactory.getLogger(ServiceNotifier.class);
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int MAX_PATH = 107;

    private final String socket;
    private final Optional<Duration> watchdog;

    private ServiceNotifier(String socket, Optional<Duration> watchdog) {
        this.socket = socket;
        this.watchdog = watchdog;
    }

    /** Empty where no service manager waits for notices. */
    static Optional<ServiceNotifier> of(Map<String, String> environment) {
        var socket = environment.getOrDefault("NOTIFY_SOCKET", "");
        if (socket.isEmpty() || socket.getBytes(StandardCharsets.UTF_8).length > MAX_PATH) {
            return Optional.empty();
        }
        var micros = environment.getOrDefault("WATCHDOG_USEC", "");
        return Optional.of(new ServiceNotifier(
                socket,
                micros.matches("[1-9]\\d{0,15}")
                        ? Optional.of(Duration.of(Long.parseLong(micros), ChronoUnit.MICROS))
                        : Optional.empty()));
    }

    /** Says that requests are answered, and from now on that this process is alive, as often as it is asked for. */
    void ready(ResourceStack resources) {
        send("READY=1");
        watchdog.ifPresent(limit -> {
            var ended = new CountDownLatch(1);
            Thread.ofPlatform().daemon().name("watchdog").start(() -> watch(limit.dividedBy(3), ended));
            resources.add(ended::countDown);
        });
    }

    void stopping() {
        send("STOPPING=1");
    }

    /** A node whose virtual threads have come to a halt answers nobody: it is not alive, and is started again. */
    private void watch(Duration interval, CountDownLatch ended) {
        try {
            do {
                var done = new CountDownLatch(1);
                Thread.ofVirtual().start(done::countDown);
                if (done.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                    send("WATCHDOG=1");
                } else {
                    log.error("no virtual thread has run for {} s", interval.toSeconds());
                }
            } while (!ended.await(interval.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(String notice) {
        try (var arena = Arena.ofConfined()) {
            // struct sockaddr_un: the family in two bytes, and the path; an abstract name begins with a zero instead of
            // @.
            var path = socket.getBytes(StandardCharsets.UTF_8);
            boolean isAbstract = path[0] == '@';
            if (isAbstract) {
                path[0] = 0;
            }
            var address = arena.allocate(Short.BYTES + MAX_PATH + 1L);
            address.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) AF_UNIX);
            MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, Short.BYTES, path.length);
            int length = Short.BYTES + path.length + (isAbstract ? 0 : 1);
            var text = notice.getBytes(StandardCharsets.UTF_8);
            var bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, text);
            var library = new Library();
            int descriptor = (int) library.socket.invokeExact(AF_UNIX, SOCK_DGRAM, 0);
            long sent = (long) library.sendTo.invokeExact(descriptor, bytes, (long) text.length, 0, address, length);
            int closed = (int) library.close.invokeExact(descriptor);
            if (sent != text.length || closed != 0) {
                log.warn("the service manager could not be told {}", notice);
            }
        } catch (Throwable e) {
            // Whether it is told or not, the node goes on.
            log.warn("the service manager could not be told {}", notice, e);
        }
    }

    /** The functions of the C library. */
    private static final class Library {
        private final MethodHandle socket = function(
                "socket",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        private final MethodHandle sendTo = function(
                "sendto",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_INT));
        private final MethodHandle close =
                function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

        @SuppressWarnings("restricted") // the launcher allows native access
        private static MethodHandle function(String name, FunctionDescriptor shape) {
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), shape);
        }
    }
}
