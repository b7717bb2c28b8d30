package io.hiroba.platform.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.List;

/** The metrics of the JVM. */
final class ServerMetrics implements AutoCloseable {

    private final JvmGcMetrics garbage = new JvmGcMetrics();

    ServerMetrics(MeterRegistry meters) {
        List.of(
                        garbage,
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new ClassLoaderMetrics(),
                        new ProcessorMetrics(),
                        new UptimeMetrics())
                .forEach(metrics -> metrics.bindTo(meters));
    }

    @Override
    public void close() {
        garbage.close();
    }
}
