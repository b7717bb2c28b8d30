package io.hiroba.knowledge.documents;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URL;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.jspecify.annotations.Nullable;

/** A request of JGit by our client, which checks every address; time and size are those that are left of the whole fetch. */
final class GitConnection implements HttpConnection {

    private final HttpClient client;
    private final URL url;
    private final Budget budget;
    private final Map<String, String> properties = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private String method = "GET";
    private @Nullable InputStreamResponseListener listener;
    private @Nullable Response response;

    GitConnection(HttpClient client, URL url, Budget budget) {
        this.client = client;
        this.url = url;
        this.budget = budget;
    }

    /** The time and size that are left for a fetch; closed, it ends the requests whose answers were not read whole. */
    static final class Budget extends EmptyProgressMonitor implements AutoCloseable {

        private final long end;
        private final Set<Request> requests = ConcurrentHashMap.newKeySet();
        private long bytes;

        Budget(long nanos, long bytes) {
            this.end = System.nanoTime() + nanos;
            this.bytes = bytes;
        }

        /** Asked by JGit while it unpacks what it has read. */
        @Override
        public boolean isCancelled() {
            return System.nanoTime() - end > 0;
        }

        /** Ends the requests that are under way. */
        @Override
        public void close() {
            for (var request : requests) {
                var _ = request.abort(new IOException("the fetch is over"));
            }
        }

        private long millis() {
            return Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
        }

        private void spend(long read) throws IOException {
            bytes -= read;
            if (bytes < 0) {
                throw new TooLarge();
            }
            requireTime();
        }

        void requireTime() throws InterruptedIOException {
            if (isCancelled()) {
                throw new InterruptedIOException("the time is over");
            }
        }
    }

    /** Thrown when a repository is larger than what may be fetched. */
    static final class TooLarge extends IOException {

        private static final long serialVersionUID = 1L;
    }

    private Response response() throws IOException {
        if (response == null) {
            var request =
                    client.newRequest(url.toString()).method(method).timeout(budget.millis(), TimeUnit.MILLISECONDS);
            // The client itself asks for compression and undoes it.
            properties.forEach((name, value) -> {
                if (!name.equalsIgnoreCase("Accept-Encoding") && !name.equalsIgnoreCase("Content-Type")) {
                    request.headers(headers -> headers.put(name, value));
                }
            });
            if (body.size() > 0) {
                var type = properties.getOrDefault("Content-Type", "application/octet-stream");
                request.body(new BytesRequestContent(type, body.toByteArray()));
            }
            listener = new InputStreamResponseListener();
            budget.requests.add(request);
            request.onComplete(done -> budget.requests.remove(request)).send(listener);
            try {
                response = listener.get(budget.millis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            } catch (TimeoutException | ExecutionException e) {
                throw new IOException(e);
            }
        }
        return response;
    }

    @Override
    public int getResponseCode() throws IOException {
        return response().getStatus();
    }

    @Override
    public String getResponseMessage() throws IOException {
        return String.valueOf(response().getReason());
    }

    @Override
    public InputStream getInputStream() throws IOException {
        response();
        var in = listener == null ? InputStream.nullInputStream() : listener.getInputStream();
        return new InputStream() {
            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int read = in.read(bytes, offset, length);
                budget.spend(Math.max(0, read));
                return read;
            }

            @Override
            public void close() throws IOException {
                in.close();
            }
        };
    }

    @Override
    public OutputStream getOutputStream() {
        return body;
    }

    @Override
    public @Nullable String getHeaderField(String name) {
        // What the client has undone is not told.
        return response == null || name.equalsIgnoreCase("Content-Encoding")
                ? null
                : response.getHeaders().get(name);
    }

    @Override
    public List<String> getHeaderFields(String name) {
        return response == null ? List.of() : response.getHeaders().getValuesList(name);
    }

    @Override
    public Map<String, List<String>> getHeaderFields() {
        var fields = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        if (response != null) {
            var headers = response.getHeaders();
            headers.getFieldNamesCollection().forEach(name -> fields.put(name, headers.getValuesList(name)));
        }
        return fields;
    }

    @Override
    public @Nullable String getContentType() {
        return getHeaderField("Content-Type");
    }

    @Override
    public int getContentLength() {
        return -1;
    }

    @Override
    public URL getURL() {
        return url;
    }

    @Override
    public void setRequestProperty(String name, String value) {
        properties.put(name, value);
    }

    @Override
    public void setRequestMethod(String method) {
        this.method = method;
    }

    @Override
    public String getRequestMethod() {
        return method;
    }

    @Override
    public void connect() throws IOException {
        response();
    }

    @Override
    public boolean usingProxy() {
        return false;
    }

    // Our client decides on these.

    @Override
    public void setUseCaches(boolean caches) {}

    @Override
    public void setConnectTimeout(int millis) {}

    @Override
    public void setReadTimeout(int millis) {}

    @Override
    public void setInstanceFollowRedirects(boolean follow) {}

    @Override
    public void setDoOutput(boolean output) {}

    @Override
    public void setFixedLengthStreamingMode(int length) {}

    @Override
    public void setChunkedStreamingMode(int length) {}

    @Override
    public void configure(
            KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random) {}

    @Override
    public void setHostnameVerifier(HostnameVerifier verifier) {}
}
