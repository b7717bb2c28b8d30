package io.hiroba.bench.chaos.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.chaos.saga.CallsUnderWay.Connection;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls of a service that takes two at once. */
class CallsUnderWayTest {

    private final CallsUnderWay calls = new CallsUnderWay(2);

    @Test
    void aCallTooManyIsSeenUnlessItIsTheSameOrItsCallerIsGone() throws IOException {
        var callers = new ArrayList<Socket>();
        var served = new ArrayList<Connection>();
        try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 5; i++) {
                callers.add(new Socket(server.getInetAddress(), server.getLocalPort()));
                var accepted = server.accept();
                served.add(new Connection(accepted, new BufferedInputStream(accepted.getInputStream())));
            }
            calls.enter("a", served.get(0));
            calls.enter("b", served.get(1));
            calls.enter("b", served.get(2));
            assertThat(calls.breaches()).as("the same call by another node").isEmpty();
            callers.getFirst().close();
            calls.enter("c", served.get(3));
            assertThat(calls.breaches()).as("the caller of the first has gone").isEmpty();
            calls.enter("d", served.get(4));
            assertThat(calls.breaches()).hasSize(1);
            calls.leave("d", served.get(4));
            assertThat(calls.most()).isEqualTo(3);
        } finally {
            for (var each : callers) {
                each.close();
            }
            for (var each : List.copyOf(served)) {
                each.socket().close();
            }
        }
    }
}
