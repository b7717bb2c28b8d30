package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Any;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.Struct;
import com.google.protobuf.StructProto;
import com.google.protobuf.Value;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.hiroba.contract.saga.v1.GetSagaRequest;
import io.hiroba.contract.saga.v1.GetSagaResponse;
import io.hiroba.contract.saga.v1.SagaServiceGrpc;
import io.hiroba.contract.saga.v1.StartSagaRequest;
import io.hiroba.contract.saga.v1.StartSagaResponse;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.Unkept;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestGrpcService;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class GrpcCallerTest {

    private static final String START = "hiroba.saga.v1.SagaService.StartSaga";

    private final GrpcCaller caller = new GrpcCaller(
            new SettableClock(Instant.parse("2026-11-15T12:00:00Z")), new RefusedAnswers(List.of("token")));
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        caller.close();
    }

    /** A service whose messages the caller learns by reflection only. */
    private final class Stock extends SagaServiceGrpc.SagaServiceImplBase {

        private final Status status;
        private final StatusRuntimeException refusal;

        Stock(Status status) {
            this(status, status.asRuntimeException());
        }

        Stock(Status status, StatusRuntimeException refusal) {
            this.status = status;
            this.refusal = refusal;
        }

        @Override
        public void startSaga(StartSagaRequest request, StreamObserver<StartSagaResponse> answer) {
            if (status.isOk()) {
                answer.onNext(StartSagaResponse.newBuilder()
                        .setId(request.getWorkflowName() + " "
                                + request.getPayload()
                                        .getStructValue()
                                        .getFieldsOrThrow("n")
                                        .getNumberValue())
                        .build());
                answer.onCompleted();
            } else {
                answer.onError(refusal);
            }
        }

        @Override
        public void getSaga(GetSagaRequest request, StreamObserver<GetSagaResponse> answer) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private TestGrpcService stock() {
        return TestGrpcService.start(new Stock(Status.OK), ProtoReflectionServiceV1.newInstance());
    }

    private StepOutcome call(TestGrpcService service, StepCall call) {
        return caller.call(Endpoint.parse(service.url()), CallSecrets.NONE, call);
    }

    private StepOutcome call(TestGrpcService service, String method, String json) {
        return call(service, StepCalls.of(method, json));
    }

    @ParameterizedTest
    @ValueSource(strings = {START, "SagaService.StartSaga", "hiroba.saga.v1.SagaService/StartSaga"})
    void aMethodIsFoundByReflectionAndCalledWithJson(String method) {
        try (var service = stock()) {
            assertThat(call(service, method, "{'workflowName':'order','payload':{'n':2}}"))
                    .isEqualTo(new Done(Json.mapper().readTree("{\"id\":\"order 2.0\"}")));
        }
    }

    @Test
    void everyCallCarriesItsKeyItsSagaAndItsTrace() {
        try (var service = stock()) {
            call(service, START, "{'payload':{'n':2}}");
            assertThat(service.header("idempotency-key")).isEqualTo(StepCalls.SAGA + ":0:EXECUTE");
            assertThat(service.header("saga-id")).isEqualTo(StepCalls.SAGA.toString());
            assertThat(service.header("saga-step")).isEqualTo("r%C3%A9server");
            assertThat(service.header("saga-attempt")).isEqualTo("2");
            assertThat(service.header("traceparent")).matches("00-0198c2e846ee7000800000000000beef-[0-9a-f]{16}-01");
        }
    }

    @Test
    void credentialsAreSentAlsoToReflectionAndTheMessageIsSigned() {
        try (var service = TestGrpcService.requiring(
                "Bearer hush", new Stock(Status.OK), ProtoReflectionServiceV1.newInstance())) {
            var key = CallSecrets.SigningSecret.of("aa", "key");
            var secrets = new CallSecrets("Bearer hush", List.of(key), true);
            var call = StepCalls.of(START, "{'workflowName':'order','payload':{'n':2}}");
            assertThat(caller.call(Endpoint.parse(service.url()), CallSecrets.NONE, call))
                    .isInstanceOf(Failed.class);
            assertThat(caller.call(Endpoint.parse(service.url()), secrets, call))
                    .isInstanceOf(Done.class);
            var sent = StartSagaRequest.newBuilder()
                    .setWorkflowName("order")
                    .setPayload(Value.newBuilder()
                            .setStructValue(Struct.newBuilder()
                                    .putFields(
                                            "n",
                                            Value.newBuilder().setNumberValue(2).build())))
                    .build();
            assertThat(service.header("hiroba-signature"))
                    .isEqualTo(secrets.signature(
                            Instant.parse("2026-11-15T12:00:00Z"),
                            "/hiroba.saga.v1.SagaService/StartSaga",
                            StepCalls.SAGA + ":0:EXECUTE",
                            sent.toByteArray()));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"OK", "DEADLINE_EXCEEDED"})
    void whatMayHealIsTriedAgainAndTheRestIsNot(Status.Code code) {
        var healing = List.of("UNAVAILABLE", "RESOURCE_EXHAUSTED", "ABORTED", "UNKNOWN", "INTERNAL", "CANCELLED");
        try (var service =
                TestGrpcService.start(new Stock(Status.fromCode(code)), ProtoReflectionServiceV1.newInstance())) {
            var failed = (Failed) call(service, START, "{}");
            assertThat(failed.reason()).isEqualTo(Text.of("saga.journal.answered", "code", code.name()));
            assertThat(failed.permanent()).isEqualTo(!healing.contains(code.name()));
            assertThat(failed.maybeDone())
                    .isEqualTo(List.of("UNAVAILABLE", "UNKNOWN", "INTERNAL", "CANCELLED", "DATA_LOSS")
                            .contains(code.name()));
        }
    }

    @Test
    void theMessageAndTheDetailsOfARefusalAreKept() {
        var info = ErrorInfo.newBuilder()
                .setReason("CARD_DECLINED")
                .putMetadata("token", "t-1")
                .build();
        var details = com.google.rpc.Status.newBuilder()
                .setCode(Code.FAILED_PRECONDITION_VALUE)
                .setMessage("card declined")
                .addDetails(Any.pack(info))
                .addDetails(Any.pack(GetSagaRequest.newBuilder().setId("7").build()))
                .build();
        try (var service = TestGrpcService.start(
                new Stock(Status.FAILED_PRECONDITION, StatusProto.toStatusRuntimeException(details)),
                ProtoReflectionServiceV1.newInstance())) {
            var failed = (Failed) call(service, START, "{}");

            assertThat(failed.reason().toString())
                    .isEqualTo("the service answered with FAILED_PRECONDITION: card declined");
            var body = failed.answer().body();
            assertThat(body.path("message").stringValue()).isEqualTo("card declined");
            assertThat(body.at("/details/0/reason").stringValue()).isEqualTo("CARD_DECLINED");
            assertThat(body.at("/details/0/metadata/token").stringValue()).isEqualTo("***");
            assertThat(body.at("/details/1/value").stringValue()).isEqualTo("CgE3");
        }
    }

    @Test
    void aServiceThatHangsTimesOut() {
        try (var service = stock()) {
            assertThat(call(service, StepCalls.within(Duration.ofSeconds(2), "SagaService.GetSaga")))
                    .hasToString("TimedOut[reason=the service did not answer within 2 s]");
        }
    }

    @Test
    void aValueThatDoesNotFitIsNotInTheLog() {
        try (var service = stock()) {
            var lines = CallLog.of(
                    GrpcCaller.class,
                    "do not fit",
                    () -> call(service, START, "{'workflowName':{'token':'secret-1'}}"));
            assertThat(lines).isNotEmpty().noneMatch(line -> line.contains("secret-1"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'unknown':1}", "{'workflowName':{}}", "[]", "7"})
    void anInputThatIsNoSuchMessageFailsForGood(String json) {
        try (var service = stock()) {
            assertThat(call(service, START, json)).isEqualTo(Failed.nonRetryable(Text.of("saga.journal.input-unfit")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SagaService.Missing", "Missing.StartSaga", "StartSaga", "", "SagaService.WatchSaga"})
    void whatIsNoMethodThatAStepCanCallFailsForGood(String method) {
        try (var service = stock()) {
            assertThat(((Failed) call(service, method, "{}")).permanent()).isTrue();
        }
    }

    @Test
    void aServerWithoutReflectionIsOfNoUse() {
        try (var service = TestGrpcService.start(new Stock(Status.OK))) {
            var failed = (Failed) call(service, START, "{}");
            assertThat(failed.permanent()).isTrue();
            assertThat(failed.reason().toString()).startsWith("the service answered with UNIMPLEMENTED: ");
        }
    }

    @Test
    @SuppressWarnings("deprecation") // the older protocol is what this is about
    void theOlderReflectionIsUnderstoodToo() {
        try (var service = TestGrpcService.start(
                new Stock(Status.OK), io.grpc.protobuf.services.ProtoReflectionService.newInstance())) {
            assertThat(call(service, START, "{'payload':{'n':2}}")).isInstanceOf(Done.class);
        }
    }

    @Test
    void aServiceThatIsAwayIsTriedAgain() {
        String url;
        try (var service = stock()) {
            url = service.url();
        }
        assertThat(caller.call(Endpoint.parse(url), CallSecrets.NONE, StepCalls.of(START, "{}")))
                .isEqualTo(Failed.retryable(Text.of("saga.journal.answered", "code", "UNAVAILABLE")));
    }

    @Test
    void aServiceThatMovesIsCalledAtItsNewPlace() {
        try (var before = stock()) {
            assertThat(call(before, START, "{'payload':{'n':1}}")).isInstanceOf(Done.class);
        }
        try (var after = stock()) {
            assertThat(call(after, START, "{'payload':{'n':1}}")).isInstanceOf(Done.class);
        }
    }

    @Test
    void aNameThatSeveralPackagesHaveMustBeWhole() {
        try (var service = TestGrpcService.start(
                new Stock(Status.OK), echo("google.protobuf.Struct", 0), ProtoReflectionServiceV1.newInstance())) {
            assertThat(((Failed) call(service, "SagaService.StartSaga", "{}")).reason())
                    .isEqualTo(Text.of("saga.journal.method-ambiguous"));
            assertThat(call(service, "other.SagaService.StartSaga", "{}")).isInstanceOf(Done.class);
        }
    }

    @Test
    void aServerThatWasRenewedIsAskedWhatItOffersNow() {
        var before = TestGrpcService.start(echo("google.protobuf.Empty", 0), ProtoReflectionServiceV1.newInstance());
        var endpoint = Endpoint.parse(before.url());
        var call = StepCalls.of("SagaService.StartSaga", "{'n':1}");
        assertThat(caller.call(endpoint, CallSecrets.NONE, StepCalls.of("SagaService.StartSaga", "{}")))
                .isInstanceOf(Done.class);
        assertThat(((Failed) caller.call(endpoint, CallSecrets.NONE, call)).permanent())
                .isTrue();
        before.close();

        try (var after = TestGrpcService.startAt(
                endpoint.port(), echo("google.protobuf.Struct", 0), ProtoReflectionServiceV1.newInstance())) {
            assertThat(after.url()).isEqualTo(endpoint.toString());
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> caller.call(endpoint, CallSecrets.NONE, call) instanceof Done);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2 << 20, 6 << 20})
    void whatAServiceDidIsDoneEvenIfItsAnswerIsTooLargeToBeKept(int letters) {
        try (var service = TestGrpcService.start(
                echo("google.protobuf.Struct", letters), ProtoReflectionServiceV1.newInstance())) {
            assertThat(call(service, "SagaService.StartSaga", "{}")).isEqualTo(Done.notKept("OK", Unkept.TOO_LARGE));
        }
    }

    static Stream<Arguments> unkept() {
        return Stream.of(
                Arguments.of(Value.newBuilder().setNumberValue(Double.NaN).build(), Unkept.NO_JSON),
                Arguments.of(Value.newBuilder().setStringValue("\u0000").build(), Unkept.NOT_STORABLE));
    }

    @ParameterizedTest
    @MethodSource("unkept")
    void whatAServiceDidIsDoneEvenIfItsAnswerCannotBeKept(Value value, Unkept reason) {
        try (var service =
                TestGrpcService.start(echo("google.protobuf.Struct", value), ProtoReflectionServiceV1.newInstance())) {
            assertThat(call(service, "SagaService.StartSaga", "{}")).isEqualTo(Done.notKept("OK", reason));
        }
    }

    /** {@code other.SagaService.StartSaga}, which takes one message of {@code input} and answers so many letters. */
    private static BindableService echo(String input, int letters) {
        return echo(
                input, Value.newBuilder().setStringValue("x".repeat(letters)).build());
    }

    private static BindableService echo(String input, Value value) {
        var file = FileDescriptorProto.newBuilder()
                .setName("other.proto")
                .setPackage("other")
                .addDependency("google/protobuf/struct.proto")
                .addDependency("google/protobuf/empty.proto")
                .addService(ServiceDescriptorProto.newBuilder()
                        .setName("SagaService")
                        .addMethod(MethodDescriptorProto.newBuilder()
                                .setName("StartSaga")
                                .setInputType("." + input)
                                .setOutputType(".google.protobuf.Struct")))
                .build();
        FileDescriptor descriptor;
        try {
            descriptor = FileDescriptor.buildFrom(
                    file, new FileDescriptor[] {StructProto.getDescriptor(), EmptyProto.getDescriptor()});
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
        var type = descriptor.getServices().getFirst().getMethods().getFirst().getInputType();
        var method = MethodDescriptor.<DynamicMessage, Struct>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("other.SagaService/StartSaga")
                .setRequestMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(type)))
                .setResponseMarshaller(ProtoUtils.marshaller(Struct.getDefaultInstance()))
                .build();
        var answer = Struct.newBuilder().putFields("letters", value).build();
        return () -> ServerServiceDefinition.builder(ServiceDescriptor.newBuilder("other.SagaService")
                        .setSchemaDescriptor((ProtoFileDescriptorSupplier) () -> descriptor)
                        .addMethod(method)
                        .build())
                .addMethod(method, ServerCalls.asyncUnaryCall((request, observer) -> {
                    observer.onNext(answer);
                    observer.onCompleted();
                }))
                .build();
    }
}
