package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.TestSources;
import org.junit.jupiter.api.Test;

class ExampleSourcesTest {

    @Test
    void everybodyReadsThem() {
        try (var test = new TestSources()) {
            var admin = test.knowledge.accounts.caller(test.knowledge.accounts.admin());
            var reader = test.knowledge.person("Bob");
            var made = new ExampleSources(test.sources)
                    .makers().values().stream()
                            .map(maker -> test.knowledge.db.inTransaction(tx -> maker.applyAsLong(tx, admin)))
                            .map(id -> test.sources.get(reader, new SourceId(id)))
                            .toList();
            assertThat(made)
                    .extracting(KnowledgeSource::title)
                    .containsExactlyInAnyOrder("House rules of the square", "The tool shed", "檜の浴槽の手入れ", "阳台种菜指南");
        }
    }
}
