package io.hiroba.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.internal.storage.dfs.DfsRepositoryDescription;
import org.eclipse.jgit.internal.storage.dfs.InMemoryRepository;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.TagBuilder;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.RefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;
import org.jspecify.annotations.Nullable;

/** A Git repository at {@link #url}, served over smart HTTP as others serve it. */
public final class TestGitServer implements AutoCloseable {

    private final InMemoryRepository repository = new InMemoryRepository(new DfsRepositoryDescription("handbook"));
    private final AtomicInteger packs = new AtomicInteger();
    private final HttpServer server;
    private volatile byte @Nullable [] pack;

    public TestGitServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/handbook.git", this::answer);
        server.createContext("/moved.git", exchange -> {
            try (exchange) {
                var path = exchange.getRequestURI().toString().replace("moved", "handbook");
                exchange.getResponseHeaders().set("Location", url().replace("/handbook.git", "") + path);
                exchange.sendResponseHeaders(302, -1);
            }
        });
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:%d/handbook.git".formatted(server.getAddress().getPort());
    }

    /** The number of times that files were fetched. */
    public int packs() {
        return packs.get();
    }

    /** Answers every fetch with these bytes instead of a pack of the repository. */
    public void answerWithPack(byte[] bytes) {
        pack = bytes.clone();
    }

    /** A commit whose tree has ten trees, each of which has ten, and so on to {@code depth}. */
    public void commitNested(String branch, int depth) throws IOException {
        try (var inserter = repository.newObjectInserter()) {
            var below = inserter.insert(Constants.OBJ_BLOB, new byte[0]);
            for (int level = 0; level < depth; level++) {
                var tree = new TreeFormatter();
                for (int each = 0; each < 10; each++) {
                    tree.append("t" + each, level == 0 ? FileMode.REGULAR_FILE : FileMode.TREE, below);
                }
                below = inserter.insert(tree);
            }
            commit(inserter, branch, below);
        }
    }

    public void tag(String branch, String name) throws IOException {
        try (var inserter = repository.newObjectInserter()) {
            var tag = new TagBuilder();
            tag.setObjectId(repository.resolve(Constants.R_HEADS + branch), Constants.OBJ_COMMIT);
            tag.setTag(name);
            tag.setTagger(new PersonIdent("Ann", "ann@example.org"));
            tag.setMessage("Release");
            var id = inserter.insert(tag);
            inserter.flush();
            var update = repository.updateRef(Constants.R_TAGS + name);
            update.setNewObjectId(id);
            update.setExpectedOldObjectId(ObjectId.zeroId());
            update.update();
        }
    }

    /** A commit on {@code branch} that holds {@code files} and nothing else, by their paths; {@code a -> b} is a link. */
    public void commit(String branch, Map<String, String> files) throws IOException {
        try (var inserter = repository.newObjectInserter()) {
            var index = DirCache.newInCore().builder();
            for (var file : files.entrySet()) {
                var path = file.getKey().split(" -> ", 2);
                var entry = new DirCacheEntry(path[0]);
                entry.setFileMode(path.length > 1 ? FileMode.SYMLINK : FileMode.REGULAR_FILE);
                entry.setObjectId(
                        inserter.insert(Constants.OBJ_BLOB, file.getValue().getBytes(StandardCharsets.UTF_8)));
                index.add(entry);
            }
            index.finish();
            commit(inserter, branch, index.getDirCache().writeTree(inserter));
        }
    }

    private void commit(ObjectInserter inserter, String branch, ObjectId tree) throws IOException {
        var commit = new CommitBuilder();
        commit.setTreeId(tree);
        var before = repository.resolve(Constants.R_HEADS + branch);
        if (before != null) {
            commit.setParentId(before);
        }
        commit.setAuthor(new PersonIdent("Ann", "ann@example.org"));
        commit.setCommitter(commit.getAuthor());
        commit.setMessage("Change");
        var id = inserter.insert(commit);
        inserter.flush();
        var update = repository.updateRef(Constants.R_HEADS + branch);
        update.setNewObjectId(id);
        update.setExpectedOldObjectId(before == null ? ObjectId.zeroId() : before);
        update.update();
        if (branch.equals("main")) {
            repository.updateRef(Constants.HEAD).link(Constants.R_HEADS + branch);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var upload = new UploadPack(repository);
            upload.setBiDirectionalPipe(false);
            var version = exchange.getRequestHeaders().getFirst("Git-Protocol");
            upload.setExtraParameters(version == null ? List.of() : Arrays.asList(version.split(":", -1)));
            if (exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Content-Type", "application/x-git-upload-pack-advertisement");
                exchange.sendResponseHeaders(200, 0);
                var lines = new PacketLineOut(exchange.getResponseBody());
                lines.writeString("# service=git-upload-pack\n");
                lines.end();
                upload.sendAdvertisedRefs(new RefAdvertiser.PacketLineOutRefAdvertiser(lines));
                return;
            }
            var zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            var body = zipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody();
            var request = body.readAllBytes();
            if (new String(request, StandardCharsets.UTF_8).contains("want ")) {
                packs.incrementAndGet();
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-git-upload-pack-result");
            exchange.sendResponseHeaders(200, 0);
            var given = pack;
            if (given != null && new String(request, StandardCharsets.UTF_8).contains("want ")) {
                var lines = new PacketLineOut(exchange.getResponseBody());
                lines.writeString("packfile\n");
                var band = new byte[given.length + 1];
                band[0] = 1;
                System.arraycopy(given, 0, band, 1, given.length);
                lines.writePacket(band);
                lines.end();
                return;
            }
            upload.upload(new ByteArrayInputStream(request), exchange.getResponseBody(), null);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        repository.close();
    }
}
