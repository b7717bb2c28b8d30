package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.OutgoingHttp;
import io.hiroba.platform.http.SafeAddressResolver;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.net.Proxy;
import java.net.URISyntaxException;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TooLargeObjectInPackException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.internal.storage.dfs.DfsRepositoryDescription;
import org.eclipse.jgit.internal.storage.dfs.InMemoryRepository;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.transport.PackParser;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.TransportHttp;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.NB;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the newest commit of public Git repositories over HTTP, without its history, into memory. Every address is checked, also
 * those of redirects; time and size are bounded. The configuration of Git on this machine is not read.
 */
public final class GitFetcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GitFetcher.class);
    private static final String FETCHED = "refs/heads/fetched";
    private static final int MAX_OBJECTS = 200_000;
    private static final long MAX_OBJECT_SIZE = 32L << 20;

    /** Of a pack: a word, a version, and the number of its objects. */
    private static final int PACK_HEADER = 12;

    static {
        SystemReader.setInstance(new NoConfiguration());
    }

    private final ByteSize largest;
    private final Duration timeout;
    private final OutgoingHttp outgoing;

    /**
     * Creates a fetcher.
     *
     * @param largest the size of a commit with all its files, compressed
     * @param privateAddresses whether private addresses are allowed
     */
    public GitFetcher(ByteSize largest, Duration timeout, boolean privateAddresses) {
        this.largest = largest;
        this.timeout = timeout;
        this.outgoing = new OutgoingHttp("git", timeout, new SafeAddressResolver(privateAddresses));
    }

    /** A repository's address in one spelling, with its branch or tag after {@code #} if one is given. */
    public static String normalized(String location) {
        int mark = location.indexOf('#');
        if (mark < 0) {
            return WebUrl.parse(location).toString();
        }
        var branch = location.substring(mark + 1);
        if (!Repository.isValidRefName(Constants.R_HEADS + branch)) {
            throw KnowledgeProblem.invalid("location", Text.of("knowledge.field.branch"));
        }
        return WebUrl.parse(location.substring(0, mark)) + "#" + branch;
    }

    /** A file of a commit. */
    public record GitFile(String path, long size, ObjectId id) {}

    /** A fetched commit with its files. */
    public static final class Snapshot implements AutoCloseable {

        private final Repository repository;
        private final ObjectId commit;
        private final GitConnection.Budget budget;

        private Snapshot(Repository repository, ObjectId commit, GitConnection.Budget budget) {
            this.repository = repository;
            this.commit = commit;
            this.budget = budget;
        }

        public String commit() {
            return commit.name();
        }

        /** Visits all files but links and submodules. A few nested trees can name more files than a machine can list. */
        public void forEach(Consumer<GitFile> visitor) throws IOException {
            int entries = 0;
            try (var commits = new RevWalk(repository);
                    var walk = new TreeWalk(repository);
                    var reader = repository.newObjectReader()) {
                walk.addTree(commits.parseTree(commit));
                walk.setRecursive(true);
                while (walk.next()) {
                    if (++entries > MAX_OBJECTS) {
                        throw tooLarge();
                    }
                    budget.requireTime();
                    var mode = walk.getFileMode(0);
                    if (mode.equals(FileMode.REGULAR_FILE) || mode.equals(FileMode.EXECUTABLE_FILE)) {
                        var id = walk.getObjectId(0);
                        visitor.accept(
                                new GitFile(walk.getPathString(), reader.getObjectSize(id, Constants.OBJ_BLOB), id));
                    }
                }
            } catch (InterruptedIOException e) {
                throw FetchProblem.timeout();
            }
        }

        /** The content of a file, whose size the caller has looked at. */
        public byte[] read(GitFile file) throws IOException {
            return repository.open(file.id(), Constants.OBJ_BLOB).getBytes();
        }

        @Override
        public void close() {
            repository.close();
        }
    }

    /**
     * Fetches the newest commit unless it is the one that is known.
     *
     * @param location as {@link #normalized} returns it
     * @param known the commit that was fetched before, or an empty text
     */
    public Optional<Snapshot> fetch(String location, String known) {
        int mark = location.indexOf('#');
        var address = mark < 0 ? location : location.substring(0, mark);
        var branch = mark < 0 ? "" : location.substring(mark + 1);
        var repository = new BoundedRepository();
        boolean isFetched = false;
        var budget = new GitConnection.Budget(timeout.toNanos(), largest.bytes());
        try (budget;
                var transport = open(repository, address, budget)) {
            var ref = find(transport, branch);
            if (ref.name().equals(known)) {
                return Optional.empty();
            }
            transport.setTagOpt(TagOpt.NO_TAGS);
            transport.setDepth(1);
            transport.fetch(budget, List.of(new RefSpec("+%s:%s".formatted(ref.ref(), FETCHED))));
            var commit = repository.resolve(FETCHED + "^{commit}");
            if (commit == null) {
                throw none();
            }
            isFetched = true;
            return Optional.of(new Snapshot(repository, commit, budget));
        } catch (NoRemoteRepositoryException e) {
            throw none();
        } catch (IOException | URISyntaxException e) {
            throw budget.isCancelled() ? FetchProblem.timeout() : problem(e);
        } finally {
            if (!isFetched) {
                repository.close();
            }
        }
    }

    private TransportHttp open(Repository repository, String address, GitConnection.Budget budget)
            throws URISyntaxException, NotSupportedException, TransportException {
        var transport = Transport.open(repository, new URIish(address));
        if (!(transport instanceof TransportHttp http)) {
            transport.close();
            throw none();
        }
        http.setHttpConnectionFactory(new HttpConnectionFactory() {
            @Override
            public HttpConnection create(URL url) {
                return new GitConnection(outgoing.client(), url, budget);
            }

            @Override
            public HttpConnection create(URL url, @Nullable Proxy proxy) {
                return create(url);
            }
        });
        return http;
    }

    /** A branch or tag of the repository, and the commit that it names. */
    private record Named(String ref, String name) {}

    private static Named find(Transport transport, String branch) throws IOException {
        try (var connection = transport.openFetch()) {
            var refs = branch.isEmpty()
                    ? List.of(Constants.HEAD)
                    : List.of(Constants.R_HEADS + branch, Constants.R_TAGS + branch);
            for (var name : refs) {
                Ref ref = connection.getRef(name);
                if (ref != null && ref.getObjectId() != null) {
                    var peeled = ref.getPeeledObjectId();
                    return new Named(name, (peeled == null ? ref.getObjectId() : peeled).name());
                }
            }
        }
        throw branch.isEmpty() ? none() : FetchProblem.failed(Text.of("knowledge.fetch.no-branch", "branch", branch));
    }

    private static KnowledgeProblem none() {
        return FetchProblem.failed(Text.of("knowledge.fetch.no-repository"));
    }

    private KnowledgeProblem problem(Exception failure) {
        LOG.debug("A repository cannot be fetched", failure);
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof GitConnection.TooLarge) {
                return new KnowledgeProblem(Kind.TOO_LARGE, "repository-size", "size", largest.bytes() / 1048576.0);
            }
            if (cause instanceof InterruptedIOException) {
                return FetchProblem.timeout();
            }
            if (cause instanceof TooLargeObjectInPackException) {
                return tooLarge();
            }
        }
        var network = WebFetcher.networkProblem(failure);
        return network == null ? none() : network;
    }

    private static KnowledgeProblem tooLarge() {
        return new KnowledgeProblem(
                Kind.TOO_LARGE, "repository-content", "size", MAX_OBJECT_SIZE >> 20, "count", MAX_OBJECTS);
    }

    /** A repository in memory that takes neither objects nor numbers of them that would fill it: a small pack can unfold to both. */
    private static final class BoundedRepository extends InMemoryRepository {

        BoundedRepository() {
            super(new DfsRepositoryDescription("watched"));
        }

        @Override
        public ObjectInserter newObjectInserter() {
            var inserter = super.newObjectInserter();
            return new ObjectInserter.Filter() {
                @Override
                protected ObjectInserter delegate() {
                    return inserter;
                }

                @Override
                public PackParser newPackParser(InputStream pack) throws IOException {
                    var start = pack.readNBytes(PACK_HEADER);
                    if (start.length == PACK_HEADER
                            && NB.decodeUInt32(start, PACK_HEADER - Integer.BYTES) > MAX_OBJECTS) {
                        throw new TooLargeObjectInPackException(MAX_OBJECTS);
                    }
                    var parser = super.newPackParser(new SequenceInputStream(new ByteArrayInputStream(start), pack));
                    parser.setMaxObjectSizeLimit(MAX_OBJECT_SIZE);
                    return parser;
                }
            };
        }
    }

    @Override
    public void close() {
        outgoing.close();
    }

    /** Keeps the files away that Git programs of this machine are configured by: they may name other servers and passwords. */
    private static final class NoConfiguration extends SystemReader.Delegate {

        private NoConfiguration() {
            super(SystemReader.getInstance());
        }

        @Override
        public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
            return empty(parent, fs);
        }

        @Override
        public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
            return empty(parent, fs);
        }

        @Override
        public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
            return empty(parent, fs);
        }

        private static FileBasedConfig empty(@Nullable Config parent, FS fs) {
            return new FileBasedConfig(parent, null, fs) {
                @Override
                public void load() throws IOException, ConfigInvalidException {}

                @Override
                public void save() {}

                @Override
                public boolean isOutdated() {
                    return false;
                }
            };
        }
    }
}
