# Counts the requests of one shard of the trace. Input: the trace, with its header line.
# Output, tab-separated: kind, key, requests, GPU milli wanted, GPU milli seconds held.
# Whole numbers only, so that the sums do not depend on how the trace was cut.
BEGIN { FS = "," }
NR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    split("num_gpu gpu_milli gpu_spec qos creation_time deletion_time scheduled_time", needed, " ")
    for (i in needed) if (!(needed[i] in column)) {
        print "count.awk: the trace has no column " needed[i] > "/dev/stderr"
        failed = 1
        exit 1
    }
    next
}
{
    wanted = $column["num_gpu"] * $column["gpu_milli"]
    scheduled = $column["scheduled_time"]
    held = scheduled == "" ? 0 : wanted * ($column["deletion_time"] - scheduled)
    model = wanted == 0 ? "none" : $column["gpu_spec"] == "" ? "any" : $column["gpu_spec"]
    add("model", model)
    add("quality", $column["qos"])
    add("day", sprintf("%03d", $column["creation_time"] / 86400))
}
function add(kind, key) {
    key = kind "\t" key
    requests[key]++
    demand[key] += wanted
    seconds[key] += held
}
END {
    if (failed) exit 1
    for (key in requests) printf "%s\t%.0f\t%.0f\t%.0f\n", key, requests[key], demand[key], seconds[key]
}
