package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.OutgoingHttp;
import io.hiroba.platform.http.SafeAddressResolver;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches web pages. Every address is checked, also those of redirects; time and size are bounded, also after
 * decompression.
 */
public final class WebFetcher implements PageFetcher, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WebFetcher.class);
    private static final int MAX_REDIRECTS = 5;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    /** Without a page, where there was one before: as it was, or gone. */
    private static final Set<Integer> ABSENT = Set.of(304, 404, 410);

    private static final Pattern CHARSET = Pattern.compile("(?i)charset\\s*=\\s*\"?([A-Za-z0-9._:-]{1,40})");

    /** The maximum size of a page and the timeout of all requests. */
    public record Limits(ByteSize largest, Duration timeout) {}

    private final Limits limits;
    private final OutgoingHttp outgoing;

    /**
     * Creates a fetcher.
     *
     * @param privateAddresses whether private addresses are allowed
     */
    public WebFetcher(Limits limits, boolean privateAddresses) {
        this.limits = limits;
        this.outgoing = new OutgoingHttp("fetch", limits.timeout(), new SafeAddressResolver(privateAddresses));
    }

    WebFetcher(Limits limits, SafeAddressResolver.Names names, Predicate<InetAddress> allowed) {
        this.limits = limits;
        this.outgoing = new OutgoingHttp("fetch", limits.timeout(), new SafeAddressResolver(names, allowed));
    }

    @Override
    public FetchedPage fetch(String url) {
        return Objects.requireNonNull(look(url, "").page());
    }

    @Override
    public Look look(String url, String validators) {
        var requested = WebUrl.parse(url);
        long end = System.nanoTime() + limits.timeout().toNanos();
        var address = requested;
        for (int hop = 0; hop <= MAX_REDIRECTS; hop++) {
            var answer = get(address, end, validators);
            if (answer.status() != HttpStatus.OK_200) {
                return new Look(null, answer.status() != HttpStatus.NOT_MODIFIED_304);
            }
            if (answer.location().isEmpty()) {
                var found = new FetchedPage.Found(requested.toString(), address.toString(), address.name());
                var page = new FetchedPage(
                        found, answer.mediaType(), answer.charset(), answer.content(), answer.validators());
                return new Look(page, false);
            }
            address = address.next(answer.location().get());
        }
        throw FetchProblem.failed(Text.of("knowledge.fetch.too-many-redirects", "max", MAX_REDIRECTS));
    }

    /** A response: a page, or a redirect. */
    private static final class Answer {

        private final Optional<String> location;
        private final @Nullable String contentType;
        private final byte[] content;
        private final String validators;
        private final int status;

        Answer(Optional<String> location, @Nullable String contentType, byte[] content, String validators) {
            this.location = location;
            this.contentType = contentType;
            this.content = content;
            this.validators = validators;
            this.status = HttpStatus.OK_200;
        }

        /** One without a page: it is as it was, or gone. */
        Answer(int status) {
            this.location = Optional.empty();
            this.contentType = null;
            this.content = new byte[0];
            this.validators = "";
            this.status = status;
        }

        int status() {
            return status;
        }

        String validators() {
            return validators;
        }

        Optional<String> location() {
            return location;
        }

        byte[] content() {
            return content;
        }

        @Nullable
        String mediaType() {
            return contentType == null
                    ? null
                    : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        }

        @Nullable
        String charset() {
            var match = CHARSET.matcher(contentType == null ? "" : contentType);
            return match.find() ? match.group(1) : null;
        }
    }

    private Answer get(WebUrl address, long end, String validators) {
        long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
        var listener = new InputStreamResponseListener();
        var request = outgoing.client().newRequest(address.uri()).timeout(left, TimeUnit.MILLISECONDS);
        request.headers(headers ->
                headers.put(HttpHeader.ACCEPT, "text/html, text/markdown, text/plain, application/pdf, */*;q=0.5"));
        validate(request, validators);
        request.send(listener);
        // Closing it discards the rest.
        try (listener) {
            var response = listener.get(left, TimeUnit.MILLISECONDS);
            if (REDIRECTS.contains(response.getStatus())) {
                var location = response.getHeaders().get(HttpHeader.LOCATION);
                if (location == null) {
                    throw FetchProblem.failed(Text.of("knowledge.fetch.no-location"));
                }
                return new Answer(Optional.of(location), null, new byte[0], "");
            }
            if (!validators.isEmpty() && ABSENT.contains(response.getStatus())) {
                return new Answer(response.getStatus());
            }
            if (response.getStatus() != 200) {
                throw FetchProblem.failed(
                        Text.of("knowledge.fetch.status", "status", Integer.toString(response.getStatus())));
            }
            return page(response, listener);
        } catch (ExecutionException | IOException e) {
            throw problem(e);
        } catch (TimeoutException e) {
            throw FetchProblem.timeout();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw FetchProblem.timeout();
        }
    }

    private Answer page(Response response, InputStreamResponseListener listener) throws IOException {
        try (InputStream in = listener.getInputStream()) {
            var content = in.readNBytes(limits.largest().toInt() + 1);
            if (content.length > limits.largest().bytes()) {
                throw KnowledgeProblem.tooLarge(limits.largest());
            }
            var headers = response.getHeaders();
            return new Answer(Optional.empty(), headers.get(HttpHeader.CONTENT_TYPE), content, validators(headers));
        }
    }

    /** Written so that the absence of both is told apart from a page that was never fetched. */
    private static String validators(HttpFields headers) {
        var etag = headers.get(HttpHeader.ETAG);
        var modified = headers.get(HttpHeader.LAST_MODIFIED);
        return (etag == null ? "" : etag) + "\n" + (modified == null ? "" : modified);
    }

    private static void validate(Request request, String validators) {
        var parts = validators.split("\n", 2);
        request.headers(headers -> {
            if (!parts[0].isEmpty()) {
                headers.put(HttpHeader.IF_NONE_MATCH, parts[0]);
            } else if (parts.length > 1 && !parts[1].isEmpty()) {
                headers.put(HttpHeader.IF_MODIFIED_SINCE, parts[1]);
            }
        });
    }

    private static KnowledgeProblem problem(Exception failure) {
        LOG.debug("A page cannot be fetched", failure);
        var network = networkProblem(failure);
        return network == null ? FetchProblem.failed(Text.of("knowledge.fetch.no-server")) : network;
    }

    /** The reason in the network, if it is a known one. */
    static @Nullable KnowledgeProblem networkProblem(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SafeAddressResolver.Refused) {
                return FetchProblem.privateAddress();
            }
            if (cause instanceof TimeoutException || cause instanceof InterruptedIOException) {
                return FetchProblem.timeout();
            }
            if (cause instanceof UnknownHostException) {
                return FetchProblem.failed(Text.of("knowledge.fetch.no-host"));
            }
            if (cause instanceof SSLException) {
                return FetchProblem.failed(Text.of("knowledge.fetch.bad-certificate"));
            }
        }
        return null;
    }

    @Override
    public void close() {
        outgoing.close();
    }
}
