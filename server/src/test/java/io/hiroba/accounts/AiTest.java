package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AiActions.AiAction;
import io.hiroba.testkit.TestAccounts;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class AiTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final Caller admin = accounts.caller(accounts.admin());
    private static final Caller agent = accounts.caller(accounts.user("agent"));

    @AfterAll
    static void close() {
        accounts.close();
    }

    private static AiModel model(String name) {
        return new AiModel(name, new BigDecimal("0.15"), new BigDecimal("30"), "small");
    }

    private static ObjectNode note(String text) {
        return JsonMapper.shared().createObjectNode().put("note", text);
    }

    @Test
    void adminsKeepTheModelsAndTheirCosts() {
        assertThat(accounts.aiModels.save(admin, model("m-1"))).isTrue();
        assertThat(accounts.aiModels.save(admin, model("m-1"))).isFalse();
        assertThat(accounts.aiModels.get("m-1")).isEqualTo(model("m-1"));
        assertThatThrownBy(() -> accounts.aiModels.save(agent, model("m-2"))).hasMessageContaining("admin");
        assertThatThrownBy(() -> accounts.aiModels.delete(agent, "m-1")).hasMessageContaining("admin");
        accounts.aiModels.delete(admin, "m-1");
        assertThatThrownBy(() -> accounts.aiModels.get("m-1")).isInstanceOf(AccountsProblem.class);
    }

    @Test
    void modelsAreListedByName() {
        List.of("z-b", "z-a", "z-c").forEach(name -> accounts.aiModels.save(admin, model(name)));
        assertThat(accounts.aiModels.list("z", 2)).extracting(AiModel::name).containsExactly("z-a", "z-b");
        assertThat(accounts.aiModels.list("z-b", 2)).extracting(AiModel::name).containsExactly("z-c");
    }

    @Test
    void aModelThatCannotBeIsRefused() {
        for (var name : List.of("", " ", "a/b", "a b", "x".repeat(51), "-a", "a\n")) {
            assertThatThrownBy(() -> model(name)).isInstanceOf(AccountsProblem.class);
        }
        for (var cost : List.of("-1", "10000000", "0.0000001", "1e999999999", "1e-999999999")) {
            assertThatThrownBy(() -> new AiModel("m", new BigDecimal(cost), BigDecimal.ONE, ""))
                    .isInstanceOf(AccountsProblem.class);
        }
        assertThatThrownBy(() -> new AiModel("m", BigDecimal.ONE, BigDecimal.ONE, "x".repeat(1001)))
                .isInstanceOf(AccountsProblem.class);
    }

    @Test
    void anAgentReadsItsOwnLogNewestFirstAndNobodyElses() {
        var first = accounts.module.aiActions().append(agent, note("one"));
        var second = accounts.module.aiActions().append(agent, note("two"));
        accounts.module.aiActions().append(admin, note("other"));
        var listed = accounts.module.aiActions().list(agent, Optional.empty(), 10);
        assertThat(listed).extracting(AiAction::id).containsExactly(second.id(), first.id());
        assertThat(accounts.module.aiActions().list(agent, Optional.of(second.id()), 10))
                .extracting(AiAction::id)
                .containsExactly(first.id());
        assertThatThrownBy(() -> accounts.module.aiActions().get(admin, first.id()))
                .isInstanceOf(AccountsProblem.class);
        assertThat(accounts.module.aiActions().get(agent, first.id()).payload()).contains("one");
        assertThatThrownBy(() -> accounts.module.aiActions().append(agent, note("x".repeat(70_000))))
                .isInstanceOf(AccountsProblem.class);
    }
}
