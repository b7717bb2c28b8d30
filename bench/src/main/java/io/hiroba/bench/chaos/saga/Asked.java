package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.saga.SagaNode.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The requests for one saga, with their answers. */
final class Asked {

    private final long number;
    private final Shape shape;
    private final List<Act> acts = new CopyOnWriteArrayList<>();

    /** One request. */
    record Act(String verb, Reply reply) {}

    Asked(long number, Shape shape) {
        this.number = number;
        this.shape = shape;
    }

    long number() {
        return number;
    }

    Shape shape() {
        return shape;
    }

    void add(String verb, Reply reply) {
        acts.add(new Act(verb, reply));
    }

    boolean was(String verb) {
        return acts.stream()
                .anyMatch(act -> act.verb().equals(verb) && act.reply().isDone());
    }

    /** It was asked for, whatever the answer, unless that was a refusal. */
    boolean mayHave(String verb) {
        return acts.stream()
                .anyMatch(act -> act.verb().equals(verb)
                        && (act.reply().isDone() || act.reply().isUnknown()));
    }

    /** The saga's id, where its start was answered. */
    Optional<String> id() {
        return acts.stream()
                .filter(act -> act.verb().equals("start") && act.reply().isDone())
                .map(act -> act.reply().text())
                .findFirst();
    }

    @Override
    public String toString() {
        return acts.toString();
    }
}
