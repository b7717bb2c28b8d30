package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what a workflow names that is not there: services, agents and other workflows, which may be registered later; and agents that
 * cannot answer as they are asked to.
 */
public final class WorkflowWarnings {

    /** The model that answers with passages, and so fills in no form. */
    private static final String LIBRARIAN = "librarian";

    private final Workflows workflows;
    private final Services services;

    public WorkflowWarnings(Workflows workflows, Services services) {
        this.workflows = workflows;
        this.services = services;
    }

    public List<Text> of(WorkflowVersion version) {
        return workflows.find(version.name(), version.version()).stream()
                .flatMap(workflow -> workflow.steps().stream())
                .flatMap(step -> of(version.name(), step).stream())
                .distinct()
                .toList();
    }

    private Optional<Text> of(String workflow, Step step) {
        var call = step.call();
        if (step.asksAgent()) {
            return step.agent().flatMap(nickname -> ofAgent(step, nickname));
        }
        if (call.isPresent()) {
            return call.map(Step.Call::service)
                    .filter(service -> !services.exists(service))
                    .map(service -> Text.of("saga.register.no-service", "step", step.name(), "service", service));
        }
        return switch (step.work()) {
            case Step.Children children -> missing(workflow, step, children.workflow());
            case Step.Continuation next ->
                Optional.ofNullable(next.workflow()).flatMap(named -> missing(workflow, step, named));
            default -> Optional.empty();
        };
    }

    private Optional<Text> ofAgent(Step step, String nickname) {
        var models = workflows.agentModels(nickname);
        if (models.isEmpty()) {
            return Optional.of(Text.of("saga.register.no-agent", "step", step.name(), "agent", nickname));
        }
        return models.equals(Set.of(LIBRARIAN)) && step.asksForMoreThanText()
                ? Optional.of(Text.of("saga.register.librarian-form", "step", step.name(), "agent", nickname))
                : Optional.empty();
    }

    private Optional<Text> missing(String workflow, Step step, String named) {
        return named.equals(workflow) || workflows.isStartable(named)
                ? Optional.empty()
                : Optional.of(Text.of("saga.register.no-workflow", "step", step.name(), "workflow", named));
    }
}
