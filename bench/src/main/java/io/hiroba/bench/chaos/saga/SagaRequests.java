package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.saga.SagaNode.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The client requests for one saga, with their replies. */
final class SagaRequests {

    private final long number;
    private final ChaosWorkflow workflow;
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    /** A request. */
    record Request(String verb, Reply reply) {}

    SagaRequests(long number, ChaosWorkflow workflow) {
        this.number = number;
        this.workflow = workflow;
    }

    long number() {
        return number;
    }

    ChaosWorkflow workflow() {
        return workflow;
    }

    void add(String verb, Reply reply) {
        requests.add(new Request(verb, reply));
    }

    boolean succeeded(String verb) {
        return requests.stream()
                .anyMatch(request ->
                        request.verb().equals(verb) && request.reply().isDone());
    }

    /** Whether such a request succeeded, or got no reply and may have succeeded. */
    boolean mayHaveTakenEffect(String verb) {
        return requests.stream()
                .anyMatch(request -> request.verb().equals(verb)
                        && (request.reply().isDone() || request.reply().isUnknown()));
    }

    /** The saga's id, if the reply to its start arrived. */
    Optional<String> id() {
        return requests.stream()
                .filter(request ->
                        request.verb().equals("start") && request.reply().isDone())
                .map(request -> request.reply().text())
                .findFirst();
    }

    @Override
    public String toString() {
        return requests.toString();
    }
}
