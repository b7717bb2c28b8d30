package io.hiroba.saga;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenInterceptor;
import io.hiroba.contract.saga.v1.CancelSagaRequest;
import io.hiroba.contract.saga.v1.CancelSagaResponse;
import io.hiroba.contract.saga.v1.CompensateSagaRequest;
import io.hiroba.contract.saga.v1.CompensateSagaResponse;
import io.hiroba.contract.saga.v1.GetSagaRequest;
import io.hiroba.contract.saga.v1.GetSagaResponse;
import io.hiroba.contract.saga.v1.ListSagasRequest;
import io.hiroba.contract.saga.v1.ListSagasResponse;
import io.hiroba.contract.saga.v1.ListWorkflowsRequest;
import io.hiroba.contract.saga.v1.ListWorkflowsResponse;
import io.hiroba.contract.saga.v1.RegisterWorkflowRequest;
import io.hiroba.contract.saga.v1.RegisterWorkflowResponse;
import io.hiroba.contract.saga.v1.RetrySagaRequest;
import io.hiroba.contract.saga.v1.RetrySagaResponse;
import io.hiroba.contract.saga.v1.SagaServiceGrpc;
import io.hiroba.contract.saga.v1.SagaStatus;
import io.hiroba.contract.saga.v1.SignalSagaRequest;
import io.hiroba.contract.saga.v1.SignalSagaResponse;
import io.hiroba.contract.saga.v1.StartSagaRequest;
import io.hiroba.contract.saga.v1.StartSagaResponse;
import io.hiroba.contract.saga.v1.WatchSagaRequest;
import io.hiroba.contract.saga.v1.WatchSagaResponse;
import io.hiroba.platform.grpc.CallMetadata;
import io.hiroba.platform.grpc.GrpcService;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.saga.workflow.WorkflowFormat;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The gRPC service of sagas. */
final class SagaGrpcService extends SagaServiceGrpc.SagaServiceImplBase implements GrpcService {

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    /** The default limit of clients is 4 MB. */
    private static final int MAX_RESPONSE_SIZE = 3 << 20;

    private static final Status REVOKED =
            Status.UNAUTHENTICATED.withDescription("The token was revoked. Send a valid one.");

    private final Sagas sagas;
    private final SagaQueries queries;
    private final Workflows workflows;
    private final SagaWatches watches;
    private final Idempotency idempotency;
    private final KeysetList<io.hiroba.saga.Saga, SagaId> sagaList;
    private final KeysetList<WorkflowVersion, String> workflowList;
    private final SagaGrpcStreams streams = new SagaGrpcStreams();

    SagaGrpcService(
            Sagas sagas,
            SagaQueries queries,
            Workflows workflows,
            SagaWatches watches,
            Idempotency idempotency,
            Cursors cursors) {
        this.sagas = sagas;
        this.queries = queries;
        this.workflows = workflows;
        this.watches = watches;
        this.idempotency = idempotency;
        sagaList = SagaRoutes.list(cursors);
        workflowList = WorkflowRoutes.list(cursors);
    }

    @Override
    public void startSaga(StartSagaRequest request, StreamObserver<StartSagaResponse> reply) {
        var caller = TokenInterceptor.caller();
        var saga = new NewSaga(
                storable("workflow_name", request.getWorkflowName()),
                request.hasPayload() ? ProtoValues.json("payload", request.getPayload()) : empty(),
                orNull(storable("correlation_id", request.getCorrelationId())),
                orNull(storable("initiated_by", request.getInitiatedBy())),
                CallMetadata.value("traceparent").orElse(null),
                request.hasPriority() ? request.getPriority() : NewSaga.DEFAULT_PRIORITY);
        var id = CallMetadata.value("idempotency-key")
                .map(key -> startOnce(caller, key, saga))
                .orElseGet(() -> sagas.start(caller, saga).toString());
        answer(reply, StartSagaResponse.newBuilder().setId(id).build());
    }

    private String startOnce(Caller caller, String key, NewSaga saga) {
        var answer = idempotency.once(
                caller.user().hex(),
                key,
                SagaServiceGrpc.getStartSagaMethod().getFullMethodName(),
                fingerprint(saga),
                tx -> Answer.ok(sagas.start(tx, caller, saga).toString()));
        return Json.read(answer.body(), String.class);
    }

    /** Equal for equal requests, whatever the order of fields. */
    private static byte[] fingerprint(NewSaga saga) {
        return Json.bytes(Arrays.asList(
                saga.workflowName(),
                ProtoValues.sorted(saga.payload()),
                saga.correlationId(),
                saga.initiatedBy(),
                saga.priority()));
    }

    @Override
    public void getSaga(GetSagaRequest request, StreamObserver<GetSagaResponse> reply) {
        var details = queries.details(TokenInterceptor.caller(), SagaId.parse(request.getId()));
        var saga = SagaMessages.of(details.saga());
        var response = GetSagaResponse.newBuilder().setSaga(saga).setAttemptsLeftOut(details.attemptsLeftOut());
        var budget = new ByteBudget(MAX_RESPONSE_SIZE - saga.getSerializedSize());
        details.steps()
                .forEach(step -> step.attempts().forEach(each -> response.addSteps(budget.fit(SagaMessages.of(each)))));
        answer(reply, response.build());
    }

    @Override
    public void listSagas(ListSagasRequest request, StreamObserver<ListSagasResponse> reply) {
        var page = page(request.getLimit(), request.getAfter());
        var filter = new SagaFilter(
                orNull(storable("workflow_name", request.getWorkflowName())),
                status(request.getStatus()),
                orNull(storable("correlation_id", request.getCorrelationId())),
                request.getStuck(),
                request.getWaiting(),
                request.hasFrom() ? time("from", request.getFrom()) : null,
                request.hasTo() ? time("to", request.getTo()) : null,
                request.getSchedule().isEmpty() ? null : Long.valueOf(Ids.parse(request.getSchedule())),
                request.getParent().isEmpty() ? null : SagaId.parse(request.getParent()),
                AttributeFilter.parse(request.getAttributesList().stream()
                        .map(condition -> storable("attributes", condition))
                        .toList()));
        var caller = TokenInterceptor.caller();
        var found = sagaList.page(page, (after, limit) -> queries.list(caller, filter, after, limit));
        var response = ListSagasResponse.newBuilder().setNext(orEmpty(found.next()));
        found.items().forEach(each -> response.addSagas(SagaMessages.of(each)));
        answer(reply, response.build());
    }

    @Override
    public void cancelSaga(CancelSagaRequest request, StreamObserver<CancelSagaResponse> reply) {
        var caller = TokenInterceptor.caller();
        var id = SagaId.parse(request.getId());
        sagas.cancel(caller, id);
        answer(reply, CancelSagaResponse.newBuilder().setSaga(now(caller, id)).build());
    }

    @Override
    public void compensateSaga(CompensateSagaRequest request, StreamObserver<CompensateSagaResponse> reply) {
        var caller = TokenInterceptor.caller();
        var id = SagaId.parse(request.getId());
        sagas.compensate(caller, id);
        answer(
                reply,
                CompensateSagaResponse.newBuilder().setSaga(now(caller, id)).build());
    }

    @Override
    public void retrySaga(RetrySagaRequest request, StreamObserver<RetrySagaResponse> reply) {
        var caller = TokenInterceptor.caller();
        var id = SagaId.parse(request.getId());
        sagas.retry(caller, id);
        answer(reply, RetrySagaResponse.newBuilder().setSaga(now(caller, id)).build());
    }

    @Override
    public void signalSaga(SignalSagaRequest request, StreamObserver<SignalSagaResponse> reply) {
        var caller = TokenInterceptor.caller();
        var id = SagaId.parse(request.getId());
        var payload = request.hasPayload() ? ProtoValues.json("payload", request.getPayload()) : empty();
        sagas.signal(caller, id, storable("name", request.getName()), payload);
        answer(reply, SignalSagaResponse.newBuilder().setSaga(now(caller, id)).build());
    }

    @Override
    public void watchSaga(WatchSagaRequest request, StreamObserver<WatchSagaResponse> reply) {
        var caller = TokenInterceptor.caller();
        var id = SagaId.parse(request.getId());
        var reader = (ServerCallStreamObserver<WatchSagaResponse>) reply;
        var stream = new SagaGrpcStream(reader, ended -> streams.remove(caller.user(), ended));
        reader.setOnCancelHandler(stream::close);
        reader.setOnReadyHandler(stream::send);
        streams.add(caller.user(), stream);
        try {
            stream.over(watches.watch(caller, id, 0, stream));
        } catch (RuntimeException e) {
            stream.close();
            throw e;
        }
        TokenInterceptor.whenRevoked(() -> stream.end(REVOKED));
        streams.endIfStopping(stream);
    }

    @Override
    public void registerWorkflow(RegisterWorkflowRequest request, StreamObserver<RegisterWorkflowResponse> reply) {
        var text = storable("definition", request.getDefinition());
        var format = WorkflowFormat.ofText(text);
        var registration = workflows.register(TokenInterceptor.caller(), text, format);
        answer(
                reply,
                RegisterWorkflowResponse.newBuilder()
                        .setWorkflow(SagaMessages.of(registration.version()))
                        .setCreated(registration.created())
                        .build());
    }

    @Override
    public void listWorkflows(ListWorkflowsRequest request, StreamObserver<ListWorkflowsResponse> reply) {
        var page = page(request.getLimit(), request.getAfter());
        var caller = TokenInterceptor.caller();
        var found = workflowList.page(page, (after, limit) -> workflows.list(caller, after, limit));
        var response = ListWorkflowsResponse.newBuilder().setNext(orEmpty(found.next()));
        found.items().forEach(each -> response.addWorkflows(SagaMessages.of(each)));
        answer(reply, response.build());
    }

    @Override
    public void end() {
        streams.end();
    }

    private io.hiroba.contract.saga.v1.Saga now(Caller caller, SagaId id) {
        return SagaMessages.of(queries.find(caller, id).orElseThrow(SagaProblem::notFound));
    }

    private static io.hiroba.saga.@Nullable SagaStatus status(SagaStatus status) {
        return switch (status) {
            case SAGA_STATUS_UNSPECIFIED -> null;
            case SAGA_STATUS_STARTED -> io.hiroba.saga.SagaStatus.STARTED;
            case SAGA_STATUS_RUNNING -> io.hiroba.saga.SagaStatus.RUNNING;
            case SAGA_STATUS_COMPLETED -> io.hiroba.saga.SagaStatus.COMPLETED;
            case SAGA_STATUS_COMPENSATING -> io.hiroba.saga.SagaStatus.COMPENSATING;
            case SAGA_STATUS_FAILED -> io.hiroba.saga.SagaStatus.FAILED;
            case SAGA_STATUS_CANCELLED -> io.hiroba.saga.SagaStatus.CANCELLED;
            case UNRECOGNIZED -> throw SagaProblem.invalid("status", Text.of("http.field.unknown"));
        };
    }

    /** Within what the database stores. */
    private static Instant time(String field, Timestamp given) {
        if (!Timestamps.isValid(given)) {
            throw SagaProblem.invalid(field, Text.of("http.field.time"));
        }
        return Instant.ofEpochSecond(given.getSeconds(), given.getNanos());
    }

    private static PageRequest page(int limit, String after) {
        if (limit < 0 || limit > MAX_LIMIT) {
            throw HttpProblem.invalid("limit", Text.of("http.field.number-between", "min", 1, "max", MAX_LIMIT));
        }
        return new PageRequest(
                limit == 0 ? DEFAULT_LIMIT : limit, Optional.of(after).filter(text -> !text.isEmpty()));
    }

    private static JsonNode empty() {
        return JsonMapper.shared().createObjectNode();
    }

    private static String storable(String field, String text) {
        if (!StorableJson.isStorable(text)) {
            throw SagaProblem.invalid(field, Text.of("saga.field.storable"));
        }
        return text;
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static <T> void answer(StreamObserver<T> reply, T message) {
        reply.onNext(message);
        reply.onCompleted();
    }
}
