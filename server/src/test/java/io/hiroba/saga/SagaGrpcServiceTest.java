package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import io.hiroba.contract.saga.v1.CancelSagaRequest;
import io.hiroba.contract.saga.v1.GetSagaRequest;
import io.hiroba.contract.saga.v1.ListSagasRequest;
import io.hiroba.contract.saga.v1.ListWorkflowsRequest;
import io.hiroba.contract.saga.v1.RegisterWorkflowRequest;
import io.hiroba.contract.saga.v1.RetrySagaRequest;
import io.hiroba.contract.saga.v1.SagaServiceGrpc;
import io.hiroba.contract.saga.v1.SagaServiceGrpc.SagaServiceBlockingStub;
import io.hiroba.contract.saga.v1.SagaStatus;
import io.hiroba.contract.saga.v1.SignalSagaRequest;
import io.hiroba.contract.saga.v1.StartSagaRequest;
import io.hiroba.contract.saga.v1.WatchSagaRequest;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.testkit.TestServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SagaGrpcServiceTest {

    private static TestHttpService shop;
    private static TestServer server;
    private static ManagedChannel channel;
    private static SagaServiceBlockingStub admin;
    private static SagaServiceBlockingStub member;

    @BeforeAll
    static void start() {
        shop = TestHttpService.start((asked, exchange) -> TestHttpService.reply(exchange, 200, "{\"id\":7}"));
        server = TestServer.start("--saga.services.shop=" + shop.url());
        channel = channel(server);
        var anonymous = ApiClient.anonymous(URI.create(server.url()).getPort());
        var token = token(anonymous, TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD);
        admin = stub(token);
        var made = anonymous
                .token(token)
                .post(
                        "/api/v1/users",
                        "{'email':'member@square.example','nickname':'member','password':'a long password'}");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        member = stub(token(anonymous, "member@square.example", "a long password"));
        register("order", "method: Stock.Reserve");
        register("approval", "waitForSignal: approve");
    }

    @AfterAll
    static void stop() {
        channel.shutdownNow();
        server.close();
        shop.close();
    }

    static ManagedChannel channel(TestServer server) {
        var address = server.app().grpcAddress().orElseThrow();
        return Grpc.newChannelBuilderForAddress(
                        address.getHost(), address.getPort(), InsecureChannelCredentials.create())
                .build();
    }

    static String token(ApiClient client, String email, String password) {
        return client.post("/api/v1/tokens", "{'email':'%s','password':'%s','name':'test'}".formatted(email, password))
                .text("token");
    }

    private static SagaServiceBlockingStub stub(String token) {
        return with(SagaServiceGrpc.newBlockingStub(channel), "authorization", "Bearer " + token);
    }

    static SagaServiceBlockingStub with(SagaServiceBlockingStub stub, String name, String value) {
        var headers = new Metadata();
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
        return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private static void register(String name, String work) {
        var service = work.startsWith("method") ? "\n    service: shop" : "";
        admin.registerWorkflow(RegisterWorkflowRequest.newBuilder()
                .setDefinition("name: %s\nsteps:\n  - name: first%s\n    %s\n".formatted(name, service, work))
                .build());
    }

    static StartSagaRequest start(String workflow, String payload) {
        return StartSagaRequest.newBuilder()
                .setWorkflowName(workflow)
                .setPayload(Value.newBuilder().setStringValue(payload))
                .setCorrelationId("order-7")
                .build();
    }

    private static SagaStatus status(String id) {
        return admin.getSaga(GetSagaRequest.newBuilder().setId(id).build())
                .getSaga()
                .getStatus();
    }

    /** The status of a refusal, and the code of its problem. */
    private static String refusal(ThrowingCallable call) {
        var refused = new ArrayList<String>();
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            var trailers = e.getTrailers();
            var code = trailers == null
                    ? null
                    : trailers.get(Metadata.Key.of("hiroba-code", Metadata.ASCII_STRING_MARSHALLER));
            refused.add(e.getStatus().getCode() + " " + code);
        });
        return refused.getFirst();
    }

    @Test
    void aSagaIsStartedWatchedToItsEndAndShown() {
        var id = admin.startSaga(start("order", "x")).getId();

        var last = SagaStatus.SAGA_STATUS_UNSPECIFIED;
        int steps = 0;
        var updates = admin.withDeadlineAfter(Duration.ofSeconds(30))
                .watchSaga(WatchSagaRequest.newBuilder().setId(id).build());
        while (updates.hasNext()) {
            var each = updates.next();
            last = each.getSaga().getStatus();
            steps += each.getStepsCount();
        }
        assertThat(last).isEqualTo(SagaStatus.SAGA_STATUS_COMPLETED);
        assertThat(steps).isEqualTo(1);

        var shown = admin.getSaga(GetSagaRequest.newBuilder().setId(id).build());
        assertThat(shown.getSaga().getPayload().getStringValue()).isEqualTo("x");
        assertThat(shown.getSaga().getCorrelationId()).isEqualTo("order-7");
        assertThat(shown.getStepsList())
                .singleElement()
                .satisfies(step -> assertThat(step.getAnswer()
                                .getStructValue()
                                .getFieldsOrThrow("id")
                                .getNumberValue())
                        .isEqualTo(7));
    }

    @Test
    void listsComeInPages() {
        var first = admin.startSaga(start("order", "1")).getId();
        var second = admin.startSaga(start("order", "2")).getId();

        var page = admin.listSagas(ListSagasRequest.newBuilder()
                .setWorkflowName("order")
                .setLimit(1)
                .build());
        var next = admin.listSagas(ListSagasRequest.newBuilder()
                .setWorkflowName("order")
                .setLimit(1)
                .setAfter(page.getNext())
                .build());
        assertThat(List.of(page.getSagas(0).getId(), next.getSagas(0).getId())).doesNotHaveDuplicates();
        assertThat(admin.listSagas(ListSagasRequest.newBuilder()
                                .setCorrelationId("order-7")
                                .setLimit(100)
                                .build())
                        .getSagasList())
                .extracting(saga -> saga.getId())
                .contains(first, second);
        assertThat(admin.listWorkflows(ListWorkflowsRequest.getDefaultInstance())
                        .getWorkflowsList())
                .extracting(workflow -> workflow.getName())
                .contains("approval", "order");
        assertThat(refusal(() -> admin.listSagas(
                        ListSagasRequest.newBuilder().setLimit(101).build())))
                .isEqualTo("INVALID_ARGUMENT http.invalid");
        assertThat(refusal(() -> admin.listSagas(
                        ListSagasRequest.newBuilder().setAfter("x").build())))
                .isEqualTo("INVALID_ARGUMENT http.bad-cursor");
    }

    @Test
    void aSagaThatWaitsIsSignalledOrCancelled() {
        var signalled = admin.startSaga(start("approval", "x")).getId();
        admin.signalSaga(SignalSagaRequest.newBuilder()
                .setId(signalled)
                .setName("approve")
                .build());
        await().atMost(Duration.ofSeconds(20)).until(() -> status(signalled) == SagaStatus.SAGA_STATUS_COMPLETED);

        var cancelled = admin.startSaga(start("approval", "x")).getId();
        var retry = RetrySagaRequest.newBuilder().setId(cancelled).build();
        assertThat(refusal(() -> admin.retrySaga(retry))).isEqualTo("FAILED_PRECONDITION saga.not-stuck");
        var cancel = CancelSagaRequest.newBuilder().setId(cancelled).build();
        admin.cancelSaga(cancel);
        var audited = "SELECT via || ' ' || address FROM accounts.audit_log WHERE target_id = '%s'";
        var by = server.database()
                .db()
                .read(reads -> reads.query(audited.formatted(cancelled))
                        .mapTo(String.class)
                        .list());
        assertThat(by).containsExactly("grpc 127.0.0.1");
        await().atMost(Duration.ofSeconds(20)).until(() -> status(cancelled) == SagaStatus.SAGA_STATUS_CANCELLED);
        assertThat(refusal(() -> admin.cancelSaga(cancel))).isEqualTo("FAILED_PRECONDITION saga.terminal");
    }

    @Test
    void aStartUnderOneKeyIsOneSaga() {
        var keyed = with(admin, "idempotency-key", UUID.randomUUID().toString());
        var first = keyed.startSaga(start("approval", "x")).getId();
        assertThat(keyed.startSaga(start("approval", "x")).getId()).isEqualTo(first);
        assertThat(refusal(() -> keyed.startSaga(start("approval", "y"))))
                .isEqualTo("INVALID_ARGUMENT http.idempotency-mismatch");
        assertThat(admin.startSaga(start("approval", "x")).getId()).isNotEqualTo(first);
    }

    @Test
    void theOrderOfFieldsMakesNoOtherStart() {
        var keyed = with(admin, "idempotency-key", UUID.randomUUID().toString());
        assertThat(keyed.startSaga(fields("a", "b")).getId())
                .isEqualTo(keyed.startSaga(fields("b", "a")).getId());
    }

    private static StartSagaRequest fields(String first, String second) {
        var value = Value.newBuilder().setNumberValue(1).build();
        var inner = Struct.newBuilder().putFields(first, value).putFields(second, value);
        var outer = Struct.newBuilder()
                .putFields(first, Value.newBuilder().setStructValue(inner).build())
                .putFields(second, Value.newBuilder().setStructValue(inner).build());
        return StartSagaRequest.newBuilder()
                .setWorkflowName("approval")
                .setPayload(Value.newBuilder().setStructValue(outer))
                .build();
    }

    @Test
    void theFiltersOfTheListAreThoseOfTheApi() {
        admin.registerWorkflow(RegisterWorkflowRequest.newBuilder()
                .setDefinition(
                        "name: visit\nattributes:\n  city: {type: string, value: $.payload}\nsteps:\n  - name: first\n"
                                + "    waitForSignal: approve\n")
                .build());
        var id = admin.startSaga(
                        start("visit", "Kyoto").toBuilder().setPriority(0).build())
                .getId();
        admin.startSaga(start("visit", "Nara"));
        await().untilAsserted(() -> assertThat(listed(all().setWaiting(true))).contains(id));
        assertThat(listed(all().setStuck(true))).doesNotContain(id);
        assertThat(listed(all())).contains(id);
        assertThat(listed(all().addAttributes("city=Kyoto"))).containsExactly(id);
        assertThat(listed(all().setParent(id))).isEmpty();
        assertThat(listed(all().setTo(Timestamp.newBuilder().setSeconds(1)))).isEmpty();
        assertThat(listed(all().setFrom(Timestamp.newBuilder().setSeconds(1)))).contains(id);
        for (var wrong : List.of(
                all().addAttributes("city"),
                all().setSchedule("x"),
                all().setFrom(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE)))) {
            assertThat(refusal(() -> listed(wrong))).startsWith("INVALID_ARGUMENT");
        }
        assertThat(refusal(() -> admin.startSaga(
                        start("visit", "x").toBuilder().setPriority(10).build())))
                .isEqualTo("INVALID_ARGUMENT saga.invalid");
        var keyed = with(admin, "idempotency-key", UUID.randomUUID().toString());
        keyed.startSaga(start("visit", "x"));
        assertThat(refusal(() -> keyed.startSaga(
                        start("visit", "x").toBuilder().setPriority(9).build())))
                .isEqualTo("INVALID_ARGUMENT http.idempotency-mismatch");
    }

    private static ListSagasRequest.Builder all() {
        return ListSagasRequest.newBuilder();
    }

    private static List<String> listed(ListSagasRequest.Builder request) {
        return admin.listSagas(request.build()).getSagasList().stream()
                .map(saga -> saga.getId())
                .toList();
    }

    @Test
    void whoWatchesTooManySagasLosesTheOldestWatch() {
        var watch = WatchSagaRequest.newBuilder()
                .setId(admin.startSaga(start("approval", "x")).getId())
                .build();
        var oldest = admin.watchSaga(watch);
        oldest.next();
        var context = io.grpc.Context.current().withCancellation();
        try {
            context.run(() -> {
                for (int i = 0; i < SagaGrpcStreams.MAX_PER_CALLER; i++) {
                    admin.watchSaga(watch).next();
                }
            });
            assertThat(refusal(() -> oldest.forEachRemaining(state -> {}))).startsWith("RESOURCE_EXHAUSTED");
        } finally {
            context.cancel(null);
        }
    }

    @Test
    void aWatchEndsWithItsToken() {
        var client = ApiClient.anonymous(URI.create(server.url()).getPort());
        var token = client.post(
                "/api/v1/tokens",
                "{'email':'%s','password':'%s','name':'watch'}"
                        .formatted(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD));
        var updates = stub(token.text("token"))
                .watchSaga(WatchSagaRequest.newBuilder()
                        .setId(admin.startSaga(start("approval", "x")).getId())
                        .build());
        updates.next();
        assertThat(client.token(token.text("token"))
                        .delete(token.header("Location"))
                        .status())
                .isEqualTo(204);
        assertThat(refusal(() -> updates.forEachRemaining(state -> {}))).startsWith("UNAUTHENTICATED");
    }

    @Test
    void onlyThoseWithATokenAndARoleAreAnswered() {
        var list = ListSagasRequest.getDefaultInstance();
        var register =
                RegisterWorkflowRequest.newBuilder().setDefinition("name: x").build();
        assertThat(refusal(() -> SagaServiceGrpc.newBlockingStub(channel).listSagas(list)))
                .isEqualTo("UNAUTHENTICATED accounts.not-signed-in");
        assertThat(refusal(() -> stub("hrb_wrong").listSagas(list)))
                .isEqualTo("UNAUTHENTICATED accounts.not-signed-in");
        assertThat(refusal(() -> member.listSagas(list))).isEqualTo("PERMISSION_DENIED saga.auditors-only");
        assertThat(refusal(() -> member.startSaga(start("order", "x"))))
                .isEqualTo("PERMISSION_DENIED saga.operators-only");
        assertThat(refusal(() -> member.registerWorkflow(register))).isEqualTo("PERMISSION_DENIED accounts.admin-only");
        var watch = WatchSagaRequest.newBuilder()
                .setId(admin.startSaga(start("approval", "x")).getId())
                .build();
        assertThat(refusal(() -> member.watchSaga(watch).hasNext())).isEqualTo("PERMISSION_DENIED saga.auditors-only");
    }

    @Test
    void whatIsWrongWithARequestIsTold() {
        var unknown = UUID.randomUUID().toString();
        assertThat(refusal(() -> status(unknown))).isEqualTo("NOT_FOUND saga.not-found");
        assertThat(refusal(() -> status("no id"))).isEqualTo("NOT_FOUND saga.not-found");
        assertThat(refusal(() -> admin.watchSaga(
                                WatchSagaRequest.newBuilder().setId(unknown).build())
                        .hasNext()))
                .isEqualTo("NOT_FOUND saga.not-found");
        assertThat(refusal(() -> admin.startSaga(start("missing", "x")))).isEqualTo("NOT_FOUND saga.no-workflow");
        assertThat(refusal(() -> admin.startSaga(start("", "x")))).isEqualTo("INVALID_ARGUMENT saga.invalid");
        assertThat(refusal(() -> admin.startSaga(start("order", "a\0b")))).isEqualTo("INVALID_ARGUMENT http.bad-text");
        assertThat(refusal(() -> admin.startSaga(start("a\0b", "x")))).startsWith("INVALID_ARGUMENT");
        assertThat(refusal(() -> admin.startSaga(
                        start("order", "x").toBuilder().setCorrelationId("a\0b").build())))
                .isEqualTo("INVALID_ARGUMENT saga.invalid");
        assertThat(refusal(() -> admin.startSaga(
                        start("order", "x").toBuilder().setInitiatedBy("a\0b").build())))
                .isEqualTo("INVALID_ARGUMENT saga.invalid");
        assertThat(refusal(() -> admin.listSagas(
                        ListSagasRequest.newBuilder().setCorrelationId("a\0b").build())))
                .isEqualTo("INVALID_ARGUMENT saga.invalid");
        assertThat(refusal(() -> admin.signalSaga(SignalSagaRequest.newBuilder()
                        .setId(unknown)
                        .setName("a\0b")
                        .build())))
                .isEqualTo("INVALID_ARGUMENT saga.invalid");
        assertThat(refusal(() -> admin.startSaga(start("order", "x".repeat(2 << 20)))))
                .startsWith("RESOURCE_EXHAUSTED");
        assertThat(refusal(() -> admin.registerWorkflow(RegisterWorkflowRequest.newBuilder()
                        .setDefinition("name: [")
                        .build())))
                .startsWith("INVALID_ARGUMENT saga.");
    }

    @Test
    void healthAnswersEverybody() {
        var health = HealthGrpc.newBlockingStub(channel);
        for (var service : List.of("", SagaServiceGrpc.SERVICE_NAME)) {
            assertThat(health.check(HealthCheckRequest.newBuilder()
                                    .setService(service)
                                    .build())
                            .getStatus())
                    .isEqualTo(ServingStatus.SERVING);
        }
    }
}
