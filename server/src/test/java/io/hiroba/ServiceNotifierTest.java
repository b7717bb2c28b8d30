package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.ResourceStack;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceNotifierTest {

    @Test
    void theServiceManagerIsToldOfReadinessLifeAndEnd(@TempDir Path folder) throws Throwable {
        var resources = new ResourceStack();
        try (var manager = new Manager(folder.resolve("notify"))) {
            var notifier = ServiceNotifier.of(
                            Map.of("NOTIFY_SOCKET", folder.resolve("notify").toString(), "WATCHDOG_USEC", "60000"))
                    .orElseThrow();
            notifier.ready(resources);
            assertThat(manager.next()).isEqualTo("READY=1");
            assertThat(manager.next()).isEqualTo("WATCHDOG=1");
            assertThat(manager.next()).isEqualTo("WATCHDOG=1");
            resources.close();
            notifier.stopping();
            String last = manager.next();
            while (last.equals("WATCHDOG=1")) {
                last = manager.next();
            }
            assertThat(last).isEqualTo("STOPPING=1");
        }
    }

    @Test
    void withoutAServiceManagerNobodyIsTold() {
        assertThat(ServiceNotifier.of(Map.of())).isEmpty();
        assertThat(ServiceNotifier.of(Map.of("NOTIFY_SOCKET", ""))).isEmpty();
    }

    /** The receiving end of a Unix socket for datagrams, as systemd has one. */
    private static final class Manager implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final int descriptor;

        Manager(Path path) throws Throwable {
            var socket = handle("socket", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
            descriptor = (int) socket.invoke(1, 2, 0);
            var name = path.toString().getBytes(StandardCharsets.UTF_8);
            var address = arena.allocate(110);
            address.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) 1);
            MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, 2, name.length);
            var bind = handle("bind", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
            assertThat((int) bind.invoke(descriptor, address, name.length + 3)).isZero();
        }

        String next() throws Throwable {
            var text = arena.allocate(100);
            var receive = handle(
                    "recv", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
            int length = (int) receive.invoke(descriptor, text, 100L, 0);
            return new String(text.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }

        /** A function of the C library whose answer fits into an int. */
        @SuppressWarnings("restricted")
        private static MethodHandle handle(String name, MemoryLayout... arguments) {
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().find(name).orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
        }

        @Override
        public void close() {
            try {
                assertThat((int) handle("close", ValueLayout.JAVA_INT).invoke(descriptor))
                        .isZero();
            } catch (Throwable e) {
                throw new AssertionError(e);
            } finally {
                arena.close();
            }
        }
    }
}
