package io.hiroba.records;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Throttle;
import io.hiroba.testkit.TestRecords;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/** Files for {@link TestRecords}, for tests of other packages. */
public final class TestAttachments {

    private TestAttachments() {}

    /** Uploads small files and answers them as values describe them. */
    public static List<ObjectNode> upload(TestRecords test, ProjectAccess access, int files) {
        try {
            var uploads = Files.createTempDirectory("uploads");
            var place = new Attachments.Place(new MemoryStorage(), (uploader, file) -> Optional.empty(), uploads, 100);
            var attachments = new Attachments(
                    test.db,
                    test.accounts.clock,
                    test.accounts.lease.ids(),
                    new Throttle(test.db, test.accounts.clock),
                    test.catalog,
                    test.records,
                    place);
            var described = IntStream.range(0, files)
                    .mapToObj(i -> attachments.upload(
                            access,
                            "plan-%d.txt".formatted(i % 5),
                            "text/plain",
                            new ByteArrayInputStream("x".repeat(1 + i % 3).getBytes(StandardCharsets.UTF_8))))
                    .map(each -> Json.exact().<ObjectNode>valueToTree(each))
                    .toList();
            Files.delete(uploads);
            return described;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
