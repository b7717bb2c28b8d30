package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.http.Throttle;
import io.hiroba.testkit.TestRecords;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of records: whose they are, what they are put into, and when they go. */
class AttachmentsTest {

    @TempDir
    private static Path uploads;

    private static TestRecords test;
    private static Attachments attachments;
    private static final MemoryStorage STORAGE = new MemoryStorage();

    private ProjectAccess shop;
    private ProjectAccess ann;

    @BeforeAll
    static void start() {
        test = new TestRecords();
        attachments = new Attachments(
                test.db,
                test.accounts.clock,
                test.accounts.lease.ids(),
                new Throttle(test.db, test.accounts.clock),
                test.catalog,
                test.records,
                new Attachments.Place(
                        STORAGE, (uploader, file) -> Optional.of(new byte[] {(byte) 0x89}), uploads, 100));
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    @BeforeEach
    void aShop() {
        shop = test.project();
        ann = test.member(shop, ProjectRole.EDITOR);
        test.schema(
                shop,
                "job",
                "title text",
                "files jsonb format=\"attachments\"",
                "other jsonb format=\"attachments\"",
                "any jsonb");
    }

    private static String upload(ProjectAccess access, String name) {
        return attachments
                .upload(access, name, "text/plain", new ByteArrayInputStream(name.getBytes(StandardCharsets.UTF_8)))
                .id();
    }

    private static boolean isReadable(ProjectAccess access, String id) {
        try (var content = attachments.open(access, id, false).content().content()) {
            return content.read() >= 0;
        } catch (RecordsProblem refusal) {
            assertThat(refusal.code()).isEqualTo("records.no-attachment");
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFileIsItsUploadersUntilItIsInAValueAndStaysWithThat() {
        var file = upload(shop, "plan.txt");
        assertThat(isReadable(shop, file)).isTrue();
        assertThat(isReadable(ann, file)).isFalse();
        assertRefused(ann, "{'files': ['%s']}".formatted(file));
        var id = test.one(shop, "job", "{'files': ['%s']}".formatted(file));
        assertThat(test.get(shop, "job", id).values().path("files"))
                .isEqualTo(json("[{'id': '%s', 'name': 'plan.txt', 'type': 'text/plain', 'size': 8}]".formatted(file)));
        assertThat(isReadable(ann, file)).isTrue();
        // In no other value, record or attribute, and by no name but its own.
        assertRefused(shop, "{'files': ['%s']}".formatted(file));
        assertRefused(shop, "{'other': ['%s']}".formatted(file));
        assertRefused(shop, "{'files': ['0000000000000001']}");
        assertRefused(shop, "{'files': ['nothing']}");
        assertRefused(shop, "{'files': ['%1$s', '%1$s']}".formatted(upload(shop, "twice")));
        var same = test.records.patch(
                shop,
                "job",
                id,
                json("{'files': [{'id': '%s', 'name': 'other.exe', 'size': 1}]}".formatted(file)),
                null);
        assertThat(same.version()).isEqualTo(1);
        var two = test.records.patch(
                ann, "job", id, json("{'files': ['%s', '%s']}".formatted(upload(ann, "b"), file)), null);
        assertThat(two.values().path("files").path(0).path("name").asString()).isEqualTo("b");
        assertThat(two.values().path("files").path(1).path("name").asString()).isEqualTo("plan.txt");
    }

    private static void assertRefused(ProjectAccess access, String values) {
        assertThatThrownBy(() -> test.one(access, "job", values)).isInstanceOf(RecordsProblem.class);
    }

    @Test
    void rulesThatHideTheValueHideItsFiles() {
        var file = upload(shop, "secret.txt");
        test.one(shop, "job", "{'files': ['%s']}".formatted(file));
        test.schemas.setRules(shop, "job", new AccessRules(false, null, Set.of("files"), Set.of()));
        assertThat(isReadable(ann, file)).isFalse();
        assertThat(isReadable(shop, file)).isTrue();
        // Nor does it help to write its id into what one may write.
        test.one(ann, "job", "{'any': [{'id': '%s'}]}".formatted(file));
        assertThat(isReadable(ann, file)).isFalse();
        test.schemas.setRules(shop, "job", new AccessRules(true, null, Set.of(), Set.of()));
        assertThat(isReadable(ann, file)).isFalse();
        assertThat(isReadable(test.project(), file)).isFalse();
    }

    @Test
    void aFileIsKeptForRestoringAndSweptAfterThat() {
        var never = upload(shop, "never");
        var file = upload(shop, "plan");
        var id = test.one(shop, "job", "{'title': 'x', 'files': ['%s']}".formatted(file));
        test.accounts.clock.advance(Attachments.UNUSED.plusHours(1));
        attachments.sweep();
        assertThat(STORAGE.stored).containsKey(file).doesNotContainKey(never);
        test.records.delete(shop, "job", id, null);
        assertThat(isReadable(shop, file)).isFalse();
        test.accounts.clock.advance(Attachments.RELEASED);
        attachments.sweep();
        assertThat(STORAGE.stored).containsKey(file);
        test.history.restore(shop, "job", id, 1, null);
        assertThat(isReadable(ann, file)).isTrue();
        test.records.patch(shop, "job", id, json("{'files': null}"), null);
        assertThat(isReadable(shop, file)).isFalse();
        for (int i = 0; i < 2; i++) {
            test.accounts.clock.advance(Attachments.RELEASED.plusHours(1));
            attachments.sweep();
        }
        assertThat(STORAGE.stored).doesNotContainKey(file);
        // What is gone is left out of a record that is restored.
        test.records.delete(shop, "job", id, null);
        assertThat(test.history.restore(shop, "job", id, 1, null).values()).isEqualTo(json("{'title': 'x'}"));
    }

    @Test
    void theFilesOfAProjectGoWithIt() {
        var file = upload(shop, "plan");
        test.one(shop, "job", "{'files': ['%s']}".formatted(file));
        test.projects.delete(shop.caller(), shop.project().id());
        attachments.sweep();
        assertThat(STORAGE.stored).doesNotContainKey(file);
    }

    @Test
    void namesTypesAndSizesAreWhatFilesMayHave() {
        assertThat(Attachments.named("C:\\Users\\ann\\plan.pdf")).isEqualTo("plan.pdf");
        assertThat(Attachments.named("../../etc/passwd")).isEqualTo("passwd");
        assertThat(Attachments.named("photo\u202egpj.exe\r\n")).isEqualTo("photogpj.exe");
        assertThat(Attachments.named("..")).isEqualTo("file");
        assertThat(Attachments.named("設計図.pdf")).isEqualTo("設計図.pdf");
        assertThat(Attachments.named("x".repeat(400) + ".pdf")).hasSize(255).endsWith(".pdf");
        assertThat(Attachments.mediaType("Text/HTML; charset=utf-8")).isEqualTo("text/html");
        assertThat(Attachments.mediaType("a/b\r\nX: y")).isEqualTo("application/octet-stream");
        assertThat(Attachments.mediaType(null)).isEqualTo("application/octet-stream");
        assertThatThrownBy(() -> upload(shop, "x".repeat(101)))
                .isInstanceOfSatisfying(
                        RecordsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("records.attachment-too-large"));
        var viewer = test.member(shop, ProjectRole.VIEWER);
        assertThatThrownBy(() -> upload(viewer, "x")).isInstanceOf(RecordsProblem.class);
        assertThat(uploads).isEmptyDirectory();
    }

    @Test
    void anAttributeOfFilesIsOneFromTheBeginning() {
        assertThatThrownBy(() -> test.changes.change(shop, "job", "any", AttributeChange.ofFormat("attachments", null)))
                .isInstanceOf(RecordsProblem.class);
        assertThatThrownBy(() -> test.changes.change(shop, "job", "files", AttributeChange.ofFormat("", null)))
                .isInstanceOf(RecordsProblem.class);
        assertThatThrownBy(() -> test.retypes.change(shop, "job", "files", new Retypes.Change(ValueType.TEXT, false)))
                .isInstanceOf(RecordsProblem.class);
        assertThatThrownBy(() -> test.schema(shop, "x", "a jsonb format=\"attachments\" default=[]"))
                .isInstanceOf(RecordsProblem.class);
    }
}
