package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.hiroba.contract.saga.v1.RegisterWorkflowRequest;
import io.hiroba.contract.saga.v1.SagaServiceGrpc;
import io.hiroba.contract.saga.v1.WatchSagaRequest;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SagaGrpcStopTest {

    @Test
    void whoWatchesIsToldThatTheNodeStops() {
        var another = TestServer.start();
        var connection = SagaGrpcServiceTest.channel(another);
        try {
            var client = ApiClient.anonymous(URI.create(another.url()).getPort());
            var stub = SagaGrpcServiceTest.with(
                    SagaServiceGrpc.newBlockingStub(connection),
                    "authorization",
                    "Bearer " + SagaGrpcServiceTest.token(client, TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD));
            stub.registerWorkflow(RegisterWorkflowRequest.newBuilder()
                    .setDefinition("{\"name\":\"wait\",\"steps\":[{\"name\":\"s\",\"waitForSignal\":\"go\"}]}")
                    .build());
            var id = stub.startSaga(SagaGrpcServiceTest.start("wait", "x")).getId();
            var updates = stub.watchSaga(WatchSagaRequest.newBuilder().setId(id).build());
            assertThat(updates.next().getSaga().getId()).isEqualTo(id);

            another.close();
            assertThatThrownBy(() -> {
                        while (updates.hasNext()) {
                            updates.next();
                        }
                    })
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
        } finally {
            connection.shutdownNow();
        }
    }
}
