package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.workflow.WorkflowFormat;
import io.hiroba.saga.workflow.Workflows;
import java.util.Map;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** Makers of the sagas of the demo: loans of a tool shed, of which one waits for an admin, one for its time, and one is over. */
final class ExampleSagas {

    private static final String WORKFLOW = """
            name: tool-loan
            payload:
              - {name: tool, label: Tool, type: text, required: true}
              - {name: who, label: Who borrows it, type: text, required: true}
              - {name: days, label: Days, type: number, required: true}
            attributes:
              tool: {type: string, value: $.payload.tool}
              who: {type: string, value: $.payload.who}
            steps:
              - name: agreement
                when: payload.days > 3
                approval:
                  assignees: ["role:admin"]
                  title: "{{$.payload.who}} wants to borrow: {{$.payload.tool}}"
                  text: |
                    For **{{$.payload.days}} days**, from the shed of the square. Loans of up to three days need nobody's word.
                  form:
                    - {name: note, label: What to take care of, type: text}
                  deadline: 30d
                  reminder: 7d
              - name: on-loan
                sleep: "=duration(string(int(payload.days) * 24) + 'h')"
            output: {tool: $.payload.tool, who: $.payload.who}
            """;

    private static final Map<String, String> LOANS = Map.of(
            "saga hedge trimmer", """
                    {"tool": "Hedge trimmer", "who": "Hannah", "days": 5}
                    """,
            "saga drill", """
                    {"tool": "Cordless drill", "who": "Ben", "days": 2}
                    """,
            "saga spade", """
                    {"tool": "Spade", "who": "Zoë", "days": 0}
                    """);

    private final Sagas sagas;
    private final Workflows workflows;

    ExampleSagas(Sagas sagas, Workflows workflows) {
        this.sagas = sagas;
        this.workflows = workflows;
    }

    /** By a name for each saga; each answers the time in its id. */
    Map<String, ToLongBiFunction<Tx, Caller>> makers() {
        return LOANS.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, loan -> (tx, admin) -> start(tx, admin, loan.getValue())));
    }

    private long start(Tx tx, Caller admin, String payload) {
        workflows.register(admin, WORKFLOW, WorkflowFormat.YAML);
        var request = new NewSaga("tool-loan", JsonMapper.shared().readTree(payload), null, null, null);
        return sagas.start(tx, admin, request).value().getMostSignificantBits();
    }
}
